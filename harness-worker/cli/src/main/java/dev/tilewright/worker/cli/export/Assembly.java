package dev.tilewright.worker.cli.export;

import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.util.List;
import java.util.Optional;

/** The cubins of exported texts. */
public record Assembly(TextAssembler assembler) {

    /**
     * The cubin of a text. Without an assembler there is none, and a notice says why.
     *
     * @param target such as {@code sm_90a}
     * @param notices for the user, to which this adds
     * @throws CommandFailedException if the text is wrong
     */
    public Optional<byte[]> cubin(String title, String ptx, String target, List<String> notices) {
        return switch (assembler.assemble(ptx, target)) {
            case TextAssembler.Outcome.Assembled(byte[] assembled) -> Optional.of(assembled);
            case TextAssembler.Outcome.Unavailable(String reason) -> {
                String notice = "no cubin, the driver assembles the text when it is loaded: " + reason;
                if (!notices.contains(notice)) {
                    notices.add(notice);
                }
                yield Optional.empty();
            }
            case TextAssembler.Outcome.Refused(String reason) ->
                throw new CommandFailedException(
                        ExitCode.NEGATIVE, "the assembler refuses the text of " + title + ": " + reason);
        };
    }
}
