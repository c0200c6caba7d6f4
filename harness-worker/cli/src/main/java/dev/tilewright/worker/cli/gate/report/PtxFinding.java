package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.model.trial.Checked;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A finding of the emulator in a text.
 *
 * @param position in the repository if the text is one of its files, else in the text that was made:
 *     {@code ptx/HASH.ptx}
 * @param text of the finding
 */
record PtxFinding(SourcePosition position, String text) {

    /** How the emulator names a line of the text that it ran. */
    private static final Pattern LINE = Pattern.compile("\\bline ([1-9][0-9]{0,8})\\b");

    /**
     * The finding on a refuted side.
     *
     * @param source of its kernel, if it is in the repository
     */
    static PtxFinding of(CaseResult.Side side, Optional<SourcePosition> source) {
        Checked checked = Objects.requireNonNull(side.checked());
        Matcher matcher = LINE.matcher(checked.finding());
        int line = matcher.find() ? Integer.parseInt(matcher.group(1)) : 1;
        String path = source.filter(SourcePosition::isPtx)
                .map(SourcePosition::path)
                .orElseGet(() -> "ptx/" + Objects.requireNonNullElse(side.ptxHash(), "unknown") + ".ptx");
        return new PtxFinding(new SourcePosition(path, line), checked.finding().strip());
    }
}
