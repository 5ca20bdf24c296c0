package dev.tidemark.launcher;

import dev.tidemark.launcher.cli.RootCommand;

/** The only main. */
public final class Tidemark {

    private Tidemark() {}

    /** Runs the command that the arguments name and exits with its code. */
    public static void main(String[] arguments) {
        System.exit(RootCommand.run(arguments));
    }
}
