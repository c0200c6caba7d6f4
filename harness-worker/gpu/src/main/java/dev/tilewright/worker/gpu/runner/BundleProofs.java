package dev.tilewright.worker.gpu.runner;

import dev.tilewright.bundle.BundleSpace;
import dev.tilewright.bundle.RunShapes;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.launch.Extents;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.HelperProgram;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.proof.EmulatorBuild;
import dev.tilewright.proof.bundle.BundleCheck;
import dev.tilewright.proof.bundle.BundleProof;
import dev.tilewright.proof.bundle.ShapeProof;
import dev.tilewright.proof.emulation.AcceptedFinding;
import dev.tilewright.proof.emulation.Effort;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.proof.file.FileVerdict;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Proves configs of bundles. A problem that does not exercise a kernel enough is followed by a deeper one. */
final class BundleProofs {

    /** Warp instructions after which a run counts as endless. */
    private static final long STEP_LIMIT = 200_000_000;

    private final EmulatorBuild build;
    private final int sms;
    private byte @Nullable [] zip;
    private @Nullable BundleSpace last;

    /** @param sms of the emulated GPU */
    BundleProofs(EmulatorBuild build, int sms) {
        this.build = build;
        this.sms = sms;
    }

    TrialResult prove(RunnerRequest.Prove wanted, byte[] bundle, Set<Rule> accepted, Phases phases) {
        try {
            BundleSpace space = read(bundle);
            List<Problem> problems = RunShapes.of(space, wanted.problem(), wanted.config(), sms);
            if (problems.isEmpty()) {
                String reason = "nothing with the tails of " + wanted.problem().shapes()
                        + " that is small enough to be emulated is a problem that " + space.family() + " takes";
                return new TrialResult(
                        TrialOutcome.UNASSEMBLED,
                        null,
                        null,
                        List.of(),
                        null,
                        checked(wanted, Verdict.UNSUPPORTED, TrialOutcome.UNASSEMBLED, null, Effort.NONE, null, reason),
                        Map.of(),
                        "unsupported: " + reason);
            }
            BundleCheck check = new BundleCheck(
                    space.bundle(),
                    HelperProgram.Runner.NONE,
                    new ProofPlan(sms, wanted.seed(), wanted.seeds(), accepted),
                    new CheckOptions(STEP_LIMIT, (_, _, _, _) -> {}));
            phases.enter(Phases.VERIFY);
            BundleProof proof = deepest(check, wanted, problems);
            phases.leave();
            return result(wanted, space, proof, phases.timesNs());
        } catch (BundleException wrong) {
            return TrialResult.failed(TrialOutcome.BUILD, String.valueOf(wrong.getMessage()));
        } catch (IOException broken) {
            return TrialResult.failed(TrialOutcome.INFRASTRUCTURE, "the bundle cannot be read: " + broken.getMessage());
        }
    }

    private BundleSpace read(byte[] bundle) throws IOException {
        BundleSpace known = last;
        if (known == null || !Arrays.equals(zip, bundle)) {
            known = BundleSpace.unzipped(bundle);
            zip = bundle;
            last = known;
        }
        return known;
    }

    /** The proof of the first problem on which the kernel is not shallow, or of the last. */
    private static BundleProof deepest(BundleCheck check, RunnerRequest.Prove wanted, List<Problem> problems) {
        BundleProof proof = check.check(wanted.config(), List.of(problems.getFirst()));
        for (Problem deeper : problems.subList(1, problems.size())) {
            if (proof.word() != BundleProof.Word.SHALLOW) {
                break;
            }
            proof = check.check(wanted.config(), List.of(deeper));
        }
        return proof;
    }

    private TrialResult result(
            RunnerRequest.Prove wanted, BundleSpace space, BundleProof proof, Map<String, Long> timesNs) {
        ShapeProof shape = proof.shapes().getLast();
        Verdict verdict = switch (proof.word()) {
            case PROVED -> Verdict.PROVED;
            case SHALLOW -> Verdict.SHALLOW;
            case UNSUPPORTED -> Verdict.UNSUPPORTED;
            case HAZARD, MISMATCH -> Verdict.REFUTED;
        };
        TrialOutcome outcome = switch (proof.word()) {
            case PROVED -> TrialOutcome.COMPLETED;
            case SHALLOW -> TrialOutcome.PRUNED;
            case UNSUPPORTED -> TrialOutcome.UNASSEMBLED;
            case HAZARD -> TrialOutcome.HAZARD;
            case MISMATCH -> TrialOutcome.MISMATCH;
        };
        Effort effort = effort(shape.verdict());
        Double ratio = ratio(shape.verdict());
        String found = String.join("\n", shape.lines());
        return new TrialResult(
                outcome,
                ratio,
                effort.runs() > 0 ? executed(space.bundle().launch(shape.problem(), sms, wanted.config())) : null,
                List.of(),
                null,
                checked(
                        wanted,
                        verdict,
                        outcome,
                        effort.runs() > 0 ? shape.problem().shape() : null,
                        effort,
                        ratio,
                        finding(shape)),
                timesNs,
                "emulated: " + found + "\nran: " + shape.problem().shapes() + " in place of "
                        + wanted.problem().shapes() + " on " + new ProofPlan(sms, 0, 1).gpu());
    }

    /** Findings, and those that were let pass. */
    private static String finding(ShapeProof shape) {
        List<String> lines = shape.lines();
        return Stream.concat(lines.stream().limit(1), lines.stream().skip(1).filter(AcceptedFinding::isLine))
                .collect(Collectors.joining("\n"));
    }

    private static Executed executed(LaunchDescription launch) {
        return new Executed(
                Math.toIntExact(launch.grid().count()),
                Math.toIntExact(launch.cluster().map(Extents::count).orElse(1L)),
                Math.toIntExact(launch.block().count()));
    }

    private Checked checked(
            RunnerRequest.Prove wanted,
            Verdict verdict,
            TrialOutcome outcome,
            @Nullable ProblemShape ran,
            Effort effort,
            @Nullable Double ratio,
            String finding) {
        return new Checked(
                verdict,
                outcome,
                wanted.problem().shape(),
                ran,
                sms,
                wanted.seed(),
                wanted.seeds(),
                effort.instructions(),
                ratio,
                build.id(),
                false,
                finding);
    }

    private static Effort effort(FileVerdict verdict) {
        return switch (verdict) {
            case FileVerdict.Proved proved -> proved.effort();
            case FileVerdict.Shallow shallow -> shallow.effort();
            case FileVerdict.Hazardous hazardous -> hazardous.effort();
            case FileVerdict.Wrong wrong -> wrong.effort();
            case FileVerdict.Unsupported _ -> Effort.NONE;
        };
    }

    /** The largest error over its bound, where results were compared and are numbers. */
    private static @Nullable Double ratio(FileVerdict verdict) {
        double ratio = switch (verdict) {
            case FileVerdict.Proved proved -> proved.compared().worstRatio();
            case FileVerdict.Shallow shallow -> shallow.compared().worstRatio();
            case FileVerdict.Wrong wrong -> wrong.mismatch().worstRatio();
            case FileVerdict.Hazardous _, FileVerdict.Unsupported _ -> Double.NaN;
        };
        return Double.isFinite(ratio) ? ratio : null;
    }
}
