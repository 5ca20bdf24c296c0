package dev.tidemark.model.table;

/**
 * A generation of a global index that does not serve, beside the one of the same name that does.
 *
 * @param index the generation
 * @param purpose what it is kept for
 * @param takesOver of a next generation, whether it serves by itself once it has caught up
 * @param keepsPrevious of a next generation, whether the one that serves until then is kept, so
 *     that one can go back to it
 */
public record SpareGeneration(
        GlobalIndex index, Purpose purpose, boolean takesOver, boolean keepsPrevious) {

    /** What a generation that does not serve is there for. */
    public enum Purpose {
        /** To serve once it has caught up. */
        NEXT,
        /** It served before, and is kept up to date, to go back to. */
        PREVIOUS,
        /** It is being removed. */
        DISCARDED
    }

    /** Makes a generation that served before. */
    public static SpareGeneration previous(GlobalIndex index) {
        return new SpareGeneration(index, Purpose.PREVIOUS, false, false);
    }

    /** Makes a generation that is to be removed. */
    public static SpareGeneration discarded(GlobalIndex index) {
        return new SpareGeneration(
                index.withStatus(IndexStatus.DELETING), Purpose.DISCARDED, false, false);
    }

    public SpareGeneration withIndex(GlobalIndex next) {
        return new SpareGeneration(next, purpose, takesOver, keepsPrevious);
    }

    /** Returns whether it is being filled, and has not caught up yet. */
    public boolean isBuilding() {
        return purpose == Purpose.NEXT && index.status() == IndexStatus.CREATING;
    }
}
