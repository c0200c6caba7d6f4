package dev.tilewright.worker.gpu.runner;

import dev.tilewright.emulator.hazard.AcceptedRules;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.gemm.TraceEvidence;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.proof.Depth;
import dev.tilewright.proof.EmulatorBuild;
import dev.tilewright.proof.Proof;
import dev.tilewright.proof.Prover;
import dev.tilewright.proof.Subject;
import dev.tilewright.proof.Witness;
import dev.tilewright.proof.emulation.AcceptedFinding;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.worker.link.runner.RunnerReply;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Proves on the emulator. There are no times: what comes of a trial is its verdict, the tiles per SM of the traced
 * twin, and the launch that was emulated.
 */
final class ProofRequests implements RequestHandler {

    /** The id of the rule that a shallow proof breaks. */
    private static final String SHALLOW = "check.shallow: ";
    /** How the line of a proof begins that says what was run. */
    private static final String RAN = "ran: ";

    private final GemmFamilies families;
    private final EmulatorBuild build;
    private final int sms;
    private final BundleProofs bundles;
    private final TextProofs texts;

    /** @param sms of the emulated GPU */
    ProofRequests(GemmFamilies families, EmulatorBuild build, int sms) {
        this.families = families;
        this.build = build;
        this.sms = sms;
        this.bundles = new BundleProofs(build, sms);
        this.texts = new TextProofs(sms);
    }

    /** Testbed of the emulator. */
    RunnerReply.Ready ready() {
        Testbed own = build.testbed(sms, "none");
        return new RunnerReply.Ready(own.kind(), own.device(), own.driver(), own.smCount(), own.clockPolicy());
    }

    @Override
    public Answer answer(RunnerRequest request, Phases phases) {
        return switch (request) {
            // There is no hardware that could be out of order.
            case RunnerRequest.Probe _ -> new Answer(new RunnerReply.Healthy(), true);
            case RunnerRequest.Prove wanted -> new Answer(new RunnerReply.TrialDone(prove(wanted, phases)), true);
            case RunnerRequest.RunTask(GpuTask.CheckText wanted, var _) ->
                new Answer(new RunnerReply.TaskDone(texts.check(wanted, phases)), true);
            case RunnerRequest.OnGpu _, RunnerRequest.Predict _ ->
                new Answer(new RunnerReply.Failed("the emulator proves, it times and predicts nothing"), true);
        };
    }

    private TrialResult prove(RunnerRequest.Prove wanted, Phases phases) {
        Set<Rule> accepted;
        try {
            accepted = AcceptedRules.named(wanted.accept());
        } catch (IllegalArgumentException noRule) {
            return unsupported(wanted, String.valueOf(noRule.getMessage()));
        }
        byte[] bundle = wanted.bundle();
        return bundle == null ? prove(wanted, accepted, phases) : bundles.prove(wanted, bundle, accepted, phases);
    }

    private TrialResult prove(RunnerRequest.Prove wanted, Set<Rule> accepted, Phases phases) {
        Notes notes = new Notes(phases);
        ProofPlan plan = new ProofPlan(sms, wanted.seed(), wanted.seeds(), accepted);
        Proof proof;
        try {
            proof = new Prover(families).prove(wanted.family(), wanted.problem(), wanted.config(), plan, notes);
        } catch (IllegalArgumentException notOnThisGpu) {
            return unsupported(wanted, String.valueOf(notOnThisGpu.getMessage()));
        }
        phases.leave();
        boolean ran = proof.effort().runs() > 0;
        return new TrialResult(
                proof.outcome(),
                notes.errorRatio,
                ran ? executed(proof.subject()) : null,
                List.of(),
                notes.evidence(sms, Tracer.asks(proof.subject().config())),
                checked(proof, ran, notes),
                phases.timesNs(),
                log(wanted.problem(), proof));
    }

    /** A config that is fine elsewhere, such as one whose cluster has more CTAs than this GPU has SMs. */
    private TrialResult unsupported(RunnerRequest.Prove wanted, String reason) {
        Checked checked = new Checked(
                Verdict.UNSUPPORTED,
                TrialOutcome.UNASSEMBLED,
                wanted.problem().shape(),
                null,
                sms,
                wanted.seed(),
                wanted.seeds(),
                0,
                null,
                build.id(),
                false,
                reason);
        return new TrialResult(
                checked.outcome(), null, null, List.of(), null, checked, Map.of(), "unsupported: " + reason);
    }

    private Executed executed(Subject subject) {
        KernelLaunch launch = families.named(subject.family())
                .build(subject.config(), false)
                .launch(subject.run(), DeviceLimits.of(sms), subject.config());
        return new Executed(launch.gridX(), launch.clusterSize(), launch.threads());
    }

    private Checked checked(Proof proof, boolean ran, Notes notes) {
        Subject subject = proof.subject();
        return new Checked(
                verdict(proof),
                proof.outcome(),
                subject.asked().shape(),
                ran ? subject.run().shape() : null,
                sms,
                subject.plan().seed(),
                subject.plan().seeds(),
                proof.effort().instructions(),
                notes.errorRatio,
                build.id(),
                false,
                finding(proof));
    }

    /** Findings, and the problem of several GEMMs: {@link Checked} has room for the shape of one. */
    private static String finding(Proof proof) {
        Stream<String> ran = proof.subject().asked().isSingle()
                ? Stream.empty()
                : proof.details().stream().filter(line -> line.startsWith(RAN));
        return Stream.concat(Stream.of(found(proof)), ran).collect(Collectors.joining("\n"));
    }

    /**
     * One line says that it is proved, and one each what was let pass; everything else needs its evidence. The shapes
     * are told apart from it.
     */
    private static String found(Proof proof) {
        return switch (proof) {
            case Proof.Proved proved -> with(proved.summary(), proved.accepted());
            case Proof.Shallow(var _, Depth depth, var _, var accepted) ->
                with(SHALLOW + String.join("; ", depth.lacking()), accepted);
            case Proof.Refuted _, Proof.Unsupported _ ->
                Stream.concat(Stream.of(proof.summary()), proof.details().stream())
                        .filter(line -> !line.startsWith(RAN))
                        .collect(Collectors.joining("\n"));
        };
    }

    private static String with(String found, List<AcceptedFinding> accepted) {
        return Stream.concat(Stream.of(found), accepted.stream().map(AcceptedFinding::line))
                .collect(Collectors.joining("\n"));
    }

    private static Verdict verdict(Proof proof) {
        return switch (proof) {
            case Proof.Proved _ -> Verdict.PROVED;
            case Proof.Refuted _ -> Verdict.REFUTED;
            case Proof.Shallow _ -> Verdict.SHALLOW;
            case Proof.Unsupported _ -> Verdict.UNSUPPORTED;
        };
    }

    private static String log(Problem asked, Proof proof) {
        List<String> lines = new ArrayList<>(
                List.of("emulated: " + finding(proof).lines().findFirst().orElseThrow()));
        if (asked.scenario().busySms() > 0) {
            lines.add("busySms = " + asked.scenario().busySms()
                    + " is ignored: text and launch are those of a quiet GPU, which is what was proved");
        }
        lines.addAll(proof.details());
        return String.join("\n", lines);
    }

    /** The part of a proof that a trial keeps beside its verdict; tells the phases on the way. */
    private static final class Notes implements Witness {

        private final Phases phases;
        private @Nullable Double errorRatio;
        private @Nullable List<TileRecord> tiles;

        private Notes(Phases phases) {
            this.phases = phases;
        }

        @Override
        public void begins(long seed, boolean traced) {
            phases.enter(traced ? Phases.TRACE : Phases.VERIFY);
        }

        @Override
        public void compared(double ratio) {
            if (Double.isFinite(ratio)) {
                errorRatio = errorRatio == null ? ratio : Math.max(errorRatio, ratio);
            }
        }

        @Override
        public void walked(List<TileRecord> walk) {
            tiles = tiles == null ? walk : tiles;
        }

        @Nullable
        SchedulerEvidence evidence(int sms, boolean asks) {
            return tiles == null
                    ? null
                    : TraceEvidence.of(tiles, sms, asks, null).withoutTimes();
        }
    }
}
