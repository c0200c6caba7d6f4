package dev.tilewright.worker.cli;

import dev.tilewright.model.range.TableSize;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that limits the kernels of a table for a range of M. */
final class TableSizeOption {

    private static final String NAME = "--kernels";

    /** The rule of options that are for ranges. */
    static final String FOR_A_RANGE = "is for a range of M, such as --shape 1-4096x1024x768, and none is given";

    @Option(
            names = NAME,
            paramLabel = "N",
            description = "With a range of M: the table has at most so many kernels, from 1 to 32 (default: 8).")
    private @Nullable Integer kernels;

    /** The number that was given; {@code null} if none was. */
    @Nullable
    Integer given() {
        return kernels;
    }

    int most() {
        return Objects.requireNonNullElse(kernels, TableSize.USUAL);
    }

    /** The option as it was given, behind a blank; empty if it was not. */
    String again() {
        return kernels == null ? "" : " " + NAME + " " + kernels;
    }

    /** @param ranges whether any problem is a range */
    void require(boolean ranges) {
        if (kernels == null) {
            return;
        }
        TableSize.fault(kernels).ifPresent(fault -> {
            throw CommandFailedException.usage(NAME + ": " + fault);
        });
        if (!ranges) {
            throw CommandFailedException.usage(NAME + ": " + FOR_A_RANGE);
        }
    }
}
