package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.worker.link.json.Json;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;

/** A form in which a run can be written down. */
public enum ReportFormat {
    /** The document itself, as {@code docs/gate-run.schema.json} describes it. */
    JSON((run, _) -> Json.pretty().writeValueAsString(run) + "\n"),
    /** A comment on a pull request. */
    MARKDOWN((run, failOn) -> new MarkdownComment(run, failOn).text()),
    JUNIT((run, failOn) -> new JunitReport(run, failOn).text()),
    /** SARIF 2.1.0. */
    SARIF((run, failOn) -> new SarifReport(run, failOn).text()),
    /** The body of {@code POST /repos/OWNER/REPO/check-runs} of GitHub. */
    GITHUB((run, failOn) -> new GithubCheck(run, failOn).text()),
    /** A report of code quality, as GitLab reads it. */
    GITLAB((run, failOn) -> new GitlabQuality(run, failOn).text());

    private final BiFunction<GateRun, FailOn, String> writer;

    ReportFormat(BiFunction<GateRun, FailOn, String> writer) {
        this.writer = writer;
    }

    /** The run in this form. */
    public String write(GateRun run, FailOn failOn) {
        return writer.apply(run, failOn);
    }

    /** The form of a name. */
    public static Optional<ReportFormat> named(String name) {
        return Arrays.stream(values())
                .filter(format -> format.toString().equals(name))
                .findFirst();
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
