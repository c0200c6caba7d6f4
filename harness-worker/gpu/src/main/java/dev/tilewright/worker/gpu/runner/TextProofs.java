package dev.tilewright.worker.gpu.runner;

import dev.tilewright.emulator.hazard.AcceptedRules;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.document.DocumentException;
import dev.tilewright.launch.document.DocumentReader;
import dev.tilewright.launch.reader.FileSource;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.launch.reader.ReadLimits;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.CheckedText;
import dev.tilewright.model.exchange.GpuTaskResult.TextHazard;
import dev.tilewright.model.exchange.GpuTaskResult.TextVerdict;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.proof.file.FileCheckResult;
import dev.tilewright.proof.file.FileDocument;
import dev.tilewright.proof.file.FileReport;
import dev.tilewright.proof.file.FileVerdict;
import dev.tilewright.proof.file.KernelFile;
import dev.tilewright.proof.file.MisfitException;
import dev.tilewright.ptx.parse.ParseError;
import dev.tilewright.ptx.parse.PtxParseException;
import dev.tilewright.worker.link.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Proves texts that users bring, by the descriptions of their launches. A description may name no file of this host.
 */
final class TextProofs {

    /** Names of the two in positions: nobody has them in files. */
    private static final String PTX = "kernel.ptx";

    private static final String LAUNCH = "launch.yaml";

    /** Warp instructions after which a run counts as endless. */
    private static final long STEP_LIMIT = 200_000_000;

    /** Most lines of findings: the first say most, and their consequences can be endless. */
    private static final int MOST_LINES = 200;

    private final JsonMapper json = Json.mapper();
    private final int sms;

    /** @param sms of the emulated GPU */
    TextProofs(int sms) {
        this.sms = sms;
    }

    CheckedText check(GpuTask.CheckText wanted, Phases phases) {
        phases.enter(Phases.VERIFY);
        Set<Rule> accepted;
        try {
            accepted = AcceptedRules.named(wanted.accept());
        } catch (IllegalArgumentException unknown) {
            phases.leave();
            return nothingRan(TextVerdict.WRONG, List.of("accepted rules: " + unknown.getMessage()));
        }
        try {
            KernelFile file = KernelFile.of(
                    PTX,
                    wanted.ptx(),
                    LAUNCH,
                    launch(wanted.launch()),
                    Optional.ofNullable(wanted.entry()),
                    new ProofPlan(sms, wanted.seed(), wanted.seeds(), accepted));
            return found(file, file.check(new CheckOptions(STEP_LIMIT, (_, _, _, _) -> {})));
        } catch (PtxParseException unreadable) {
            boolean unknown = unreadable.problems().stream().allMatch(ParseError::unsupported);
            return nothingRan(
                    unknown ? TextVerdict.UNSUPPORTED : TextVerdict.WRONG,
                    unreadable.problems().stream()
                            .map(problem -> PTX + ":" + problem)
                            .toList());
        } catch (DocumentException wrong) {
            return nothingRan(TextVerdict.WRONG, wrong.in(LAUNCH).faults());
        } catch (MisfitException misfit) {
            return nothingRan(TextVerdict.WRONG, List.of(LAUNCH + ": " + misfit.getMessage()));
        } finally {
            phases.leave();
        }
    }

    private static LaunchDescription launch(String yaml) {
        return LaunchReader.read(DocumentReader.read(yaml, false).mapping(), FileSource.NONE, ReadLimits.EMULATED);
    }

    private static CheckedText nothingRan(TextVerdict verdict, List<String> lines) {
        return new CheckedText(verdict, least(lines), List.of());
    }

    private CheckedText found(KernelFile file, FileCheckResult checked) {
        FileReport report = new FileReport(file);
        List<String> lines = new ArrayList<>(report.header());
        lines.addAll(report.verdict(checked));
        return new CheckedText(verdict(checked.verdict()), least(lines), hazards(new FileDocument(file).of(checked)));
    }

    private static List<String> least(List<String> lines) {
        return lines.subList(0, Math.min(MOST_LINES, lines.size()));
    }

    private static TextVerdict verdict(FileVerdict verdict) {
        return switch (verdict) {
            case FileVerdict.Proved _ -> TextVerdict.PROVED;
            case FileVerdict.Shallow _ -> TextVerdict.SHALLOW;
            case FileVerdict.Hazardous _ -> TextVerdict.HAZARD;
            case FileVerdict.Wrong _ -> TextVerdict.MISMATCH;
            case FileVerdict.Unsupported _ -> TextVerdict.UNSUPPORTED;
        };
    }

    /** As the document of {@code tilewright check} has them. */
    private List<TextHazard> hazards(ObjectNode document) {
        List<TextHazard> hazards = new ArrayList<>();
        JsonNode first = document.get("hazard");
        if (first != null) {
            hazards.add(json.treeToValue(first, TextHazard.class));
            document.get("otherHazards").forEach(other -> hazards.add(json.treeToValue(other, TextHazard.class)));
        }
        return hazards;
    }
}
