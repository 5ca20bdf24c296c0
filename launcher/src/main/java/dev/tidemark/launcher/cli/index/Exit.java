package dev.tidemark.launcher.cli.index;

/** What the commands exit with. */
final class Exit {

    /** Everything is as it should be. */
    static final int OK = 0;

    /** The command did its work, and what it found is not as it should be. */
    static final int FAILED = 1;

    /** The arguments are wrong, or there is nothing to work with. */
    static final int USAGE = 2;

    private Exit() {}
}
