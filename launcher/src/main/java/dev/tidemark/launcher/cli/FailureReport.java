package dev.tidemark.launcher.cli;

import dev.tidemark.kafka.embedded.EmbeddedKafkaException;
import dev.tidemark.launcher.client.EndpointException;
import dev.tidemark.launcher.config.ConfigException;
import dev.tidemark.launcher.node.StartException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;

/** Says on one line why a command failed; shows a stack only for what nobody foresaw. */
final class FailureReport implements CommandLine.IExecutionExceptionHandler {

    @Override
    public int handleExecutionException(
            Exception failure, CommandLine line, CommandLine.ParseResult parsed) throws Exception {
        if (failure instanceof ConfigException
                || failure instanceof StartException
                || failure instanceof EmbeddedKafkaException
                || failure instanceof IllegalArgumentException) {
            return report(line, String.valueOf(failure.getMessage()), RootCommand.USAGE);
        }
        if (failure instanceof EndpointException refused) {
            return report(line, refused.type() + ": " + refused.getMessage(), RootCommand.USAGE);
        }
        if (failure instanceof IOException unreadable) {
            return report(line, reason(unreadable), RootCommand.USAGE);
        }
        if (failure instanceof UncheckedIOException) {
            return report(
                    line, failure.getMessage() + ": " + failure.getCause(), RootCommand.USAGE);
        }
        throw failure;
    }

    /** Returns the message, with words where the system's is no more than a path. */
    private static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "there is no file " + failure.getMessage();
        }
        if (failure instanceof AccessDeniedException) {
            return "access to " + failure.getMessage() + " is denied";
        }
        return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    }

    private static int report(CommandLine line, String message, int code) {
        line.getErr().println("tidemark: " + message);
        line.getErr().flush();
        return code;
    }
}
