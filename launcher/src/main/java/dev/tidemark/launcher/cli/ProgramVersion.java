package dev.tidemark.launcher.cli;

import picocli.CommandLine;

/** The version of this program, as its jar's manifest tells it. */
final class ProgramVersion implements CommandLine.IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"tidemark " + text() + " (Java " + Runtime.version() + ")"};
    }

    static String text() {
        String version = ProgramVersion.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
