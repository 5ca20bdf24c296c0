package dev.tidemark.launcher.life;

import dev.tidemark.launcher.life.Living.Shape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** What befalls a table and its indexes while it is written to, as it follows from a seed. */
record Plan(long seed, List<Step> steps) {

    private static final List<String> NAMES = List.of("first", "second", "third");

    private static final List<Event> OFTEN =
            List.of(
                    Event.DROP,
                    Event.DROP,
                    Event.ALTER,
                    Event.ALTER,
                    Event.ALTER,
                    Event.ROLL_BACK,
                    Event.ROLL_BACK,
                    Event.REBUILD,
                    Event.PAUSE,
                    Event.RESUME,
                    Event.LIMIT);

    /** What may happen. */
    enum Event {
        KILL,
        ADD,
        DROP,
        ALTER,
        ROLL_BACK,
        REBUILD,
        PAUSE,
        RESUME,
        LIMIT
    }

    /**
     * One step.
     *
     * @param rested whether what was asked before it is to end first
     * @param writes how many writes are acknowledged before it
     * @param index the index it is about, if it is about one
     * @param shape what the index becomes, if it becomes anything
     */
    record Step(boolean rested, int writes, Event event, String index, Shape shape) {}

    /** Returns the plan with so many kills, and so many changes before, between and after them. */
    static Plan of(long seed, int kills, int changesBetween) {
        Random random = new Random(seed);
        Set<String> there = new HashSet<>(Set.of(NAMES.get(0)));
        List<Step> steps = new ArrayList<>();
        for (int kill = 0; kill <= kills; kill++) {
            if (kill > 0) {
                steps.add(step(random, Event.KILL, NAMES.get(0)));
            }
            for (int change = 0; change < changesBetween; change++) {
                String index = NAMES.get(random.nextInt(NAMES.size()));
                steps.add(step(random, change(random, index, there), index));
            }
        }
        return new Plan(seed, List.copyOf(steps));
    }

    /** Mostly adds what is not there, and changes what is; now and then asks what is refused. */
    private static Event change(Random random, String index, Set<String> there) {
        boolean sensible = random.nextInt(10) > 0;
        if (sensible && there.add(index)) {
            return Event.ADD;
        }
        Event event = OFTEN.get(random.nextInt(OFTEN.size()));
        if (event == Event.DROP) {
            there.remove(index);
        }
        return event;
    }

    /** Half of the steps come at once after the one before. */
    private static Step step(Random random, Event event, String index) {
        Shape[] shapes = Shape.values();
        return new Step(
                event != Event.KILL && random.nextInt(3) == 0,
                random.nextBoolean() ? 0 : random.nextInt(150),
                event,
                index,
                shapes[random.nextInt(shapes.length)]);
    }
}
