package dev.tidemark.expressions.legacy;

import dev.tidemark.model.item.AttributeType;
import dev.tidemark.model.item.AttributeValue;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * One entry of AttributeUpdates.
 *
 * @param attribute the attribute's name
 * @param action what to do
 * @param value with what; only DELETE can do without
 */
public record AttributeUpdate(String attribute, Action action, Optional<AttributeValue> value) {

    /** What can be done to an attribute. */
    public enum Action {
        PUT,
        ADD,
        DELETE
    }

    private static final Set<AttributeType> SETS =
            EnumSet.of(AttributeType.SS, AttributeType.NS, AttributeType.BS);

    /**
     * @throws dev.tidemark.model.error.ApiException if the name is none an attribute can have, or
     *     the action needs a value, or one of another type
     */
    public AttributeUpdate {
        LegacyMessages.requireName(attribute);
        if (value.isEmpty()) {
            if (action != Action.DELETE) {
                throw LegacyMessages.invalid(LegacyMessages.NO_VALUE);
            }
        } else {
            requireType(action, value.get().type());
        }
    }

    private static void requireType(Action action, AttributeType type) {
        boolean set = SETS.contains(type);
        if (action == Action.DELETE && !set) {
            throw LegacyMessages.invalid(LegacyMessages.DELETE_TYPE, type);
        }
        if (action == Action.ADD && !set && type != AttributeType.N && type != AttributeType.L) {
            throw LegacyMessages.invalid(LegacyMessages.ADD_TYPE, type);
        }
    }
}
