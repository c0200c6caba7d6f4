package dev.tilewright.proof.file;

import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.ShownName;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.model.text.Count;
import dev.tilewright.proof.compare.Compared;
import dev.tilewright.proof.compare.Mismatch;
import dev.tilewright.proof.emulation.AcceptedFinding;
import dev.tilewright.proof.emulation.Effort;
import dev.tilewright.proof.emulation.HazardWords;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.emulation.Rings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A verdict as lines for people. */
public final class FileReport {
    private final KernelFile file;

    public FileReport(KernelFile file) {
        this.file = file;
    }

    /** The lines that name the kernel, its launch and the plan of the check. */
    public List<String> header() {
        FileSubject subject = file.subject();
        LaunchDescription launch = subject.launch();
        ProofPlan plan = subject.plan();
        List<String> lines = new ArrayList<>();
        lines.add(subject.ptx() + " (sha256 " + subject.sha256() + ")");
        lines.add("launch " + subject.description() + ": entry "
                + ShownName.of(subject.entry().name()) + ", grid " + EntryRules.text(launch.grid()) + ", block "
                + EntryRules.text(launch.block()) + ", cluster " + EntryRules.text(subject.cluster())
                + ", dynamic shared " + launch.dynamicShared() + " bytes, " + plan.gpu() + ", " + plan.seedRange());
        launch.buffers().forEach(buffer -> lines.add("buffer " + buffer));
        return lines;
    }

    /** The result of a check; the first word of the first line is the verdict. */
    public List<String> verdict(FileCheckResult checked) {
        FileVerdict verdict = checked.verdict();
        List<String> lines = new ArrayList<>();
        switch (verdict) {
            case FileVerdict.Proved(Effort effort, Rings rings, Compared compared, var accepted) -> {
                lines.add("proved" + AcceptedFinding.count(accepted) + ": no " + (accepted.isEmpty() ? "" : "other ")
                        + "hazard and nothing wrong in " + Count.of(effort.runs(), "run"));
                facts(lines, effort, rings, compared);
            }
            case FileVerdict.Shallow(Effort effort, Rings rings, Compared compared, var lacking, var accepted) -> {
                lines.add("shallow" + AcceptedFinding.count(accepted) + ": no " + (accepted.isEmpty() ? "" : "other ")
                        + "hazard and nothing wrong in " + Count.of(effort.runs(), "run") + ", but they are no proof");
                lacking.forEach(reason -> lines.add("  " + reason));
                facts(lines, effort, rings, compared);
            }
            case FileVerdict.Hazardous(long seed, List<Finding> findings, Effort effort, var _) -> {
                findings.forEach(finding -> hazard(lines, finding));
                acceptable(findings).ifPresent(lines::add);
                lines.add("seed " + seed + ", run " + effort.runs() + " of "
                        + file.subject().plan().seeds());
            }
            case FileVerdict.Wrong(long seed, Mismatch mismatch, Effort effort, var _) -> {
                wrong(lines, mismatch);
                lines.add("seed " + seed + ", run " + effort.runs() + " of "
                        + file.subject().plan().seeds());
            }
            case FileVerdict.Unsupported(List<String> diagnostics) -> lines.addAll(unsupported(diagnostics));
        }
        TakenLines.of(checked).forEach(line -> lines.add("  " + line));
        verdict.accepted().forEach(accepted -> lines.add(accepted(accepted)));
        return lines;
    }

    private String accepted(AcceptedFinding accepted) {
        return accepted.at(
                file.subject().ptx() + ":" + file.position(accepted.finding().site()));
    }

    /** How to let the run go on, if all that was found lets it. */
    private static Optional<String> acceptable(List<Finding> findings) {
        if (!findings.stream().allMatch(finding -> finding.rule().acceptable())) {
            return Optional.empty();
        }
        String rules = findings.stream()
                .map(finding -> finding.rule().text())
                .distinct()
                .collect(Collectors.joining(","));
        return Optional.of("the run went on behind all of this; --accept " + rules
                + " lets it pass, docs/emulator/rules.md says what that means");
    }

    /** The report for a kernel with instructions that are not emulated. */
    public static List<String> unsupported(List<String> diagnostics) {
        List<String> lines = new ArrayList<>();
        lines.add("unsupported: " + Count.of(diagnostics.size(), "place") + " in the file cannot be emulated");
        diagnostics.forEach(diagnostic -> lines.add("  " + diagnostic));
        return lines;
    }

    private static void facts(List<String> lines, Effort effort, Rings rings, Compared compared) {
        lines.add("  " + compared.elements() + " elements and bytes compared, largest error "
                + String.format(Locale.ROOT, "%.3f", compared.worstRatio()) + " of what is allowed");
        lines.add("  " + rings);
        lines.add("  " + effort.ctas() + " CTAs, " + effort.instructions() + " warp instructions, " + effort.copies()
                + " copies, " + effort.multiplyAdds() + " multiply-adds of matrix instructions");
    }

    private void hazard(List<String> lines, Finding finding) {
        HazardWords words = HazardWords.of(finding);
        List<String> said = words.lines();
        lines.add(said.getFirst());
        lines.add("  rule: " + finding.rule().text());
        said.stream().skip(1).forEach(waiter -> lines.add("  " + waiter));
        site(lines, "at", words.site());
        if (finding.hazard() instanceof Hazard.Race race) {
            site(
                    lines,
                    "behind the " + race.earlier().access() + " at",
                    race.earlier().site());
        }
    }

    private void site(List<String> lines, String what, Site site) {
        lines.add("  " + what + " " + file.subject().ptx() + ":" + file.position(site) + " in "
                + ShownName.of(site.kernel()) + ", CTA "
                + site.cta() + " (rank " + site.rank() + " of its cluster), warp " + site.warp() + ", lane "
                + site.lane());
        file.excerpt(site).forEach(line -> lines.add("  " + line));
    }

    private static void wrong(List<String> lines, Mismatch mismatch) {
        lines.add("mismatch: buffer " + mismatch.buffer() + ": " + mismatch.wrong() + " of " + mismatch.compared()
                + " elements or bytes are not as expected (" + mismatch.expectation() + ")");
        lines.add("  largest error " + mismatch.worstRatio() + " of what is allowed; the first:");
        for (Mismatch.Element element : mismatch.first()) {
            lines.add("  " + mismatch.buffer() + " " + element.index() + ": got " + element.got() + ", expected "
                    + element.expected() + ", allowed error " + element.allowed());
        }
    }
}
