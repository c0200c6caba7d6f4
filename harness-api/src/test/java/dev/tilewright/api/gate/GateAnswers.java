package dev.tilewright.api.gate;

import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.GpuTaskResult.ComparedSide;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Report.Block;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a GPU answers: blocks with a little noise, drawn by the seed of the task. */
public final class GateAnswers {

    static final String CANDIDATE = "candidate";
    static final String BASELINE = "baseline";

    static final String GPU = "GPU-0123";

    private static final int BLOCKS = 40;
    private static final double BASELINE_NS = 100_000;
    private static final double NOISE = 0.001;

    private GateAnswers() {}

    /** Kernels of equal speed, but for a twin that is slowed by what it was asked to be. */
    public static Compared asAsked(GpuTask.Compare task) {
        Double slowed = task.first() instanceof GpuTask.Side.Own own ? own.slowedBy() : null;
        return slower(task, slowed == null ? 0 : 100 * slowed);
    }

    /** The candidate takes so many percent longer. */
    public static Compared slower(GpuTask.Compare task, double percent) {
        Random random = new Random(task.seed());
        List<Report.Block> blocks = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            boolean candidateFirst = i % 4 == 0 || i % 4 == 3;
            double clock = 1 + 0.01 * random.nextGaussian();
            blocks.add(block(i, candidateFirst ? 0 : 1, CANDIDATE, clock * (1 + percent / 100), random));
            blocks.add(block(i, candidateFirst ? 1 : 0, BASELINE, clock, random));
        }
        return compared(task, TrialOutcome.COMPLETED, "", CompareVerdict.SAME, blocks);
    }

    private static Block block(int index, int position, String arm, double factor, Random random) {
        return new Block(
                Stage.FINAL,
                Question.SAME_CLOCK,
                Mode.SUSTAINED,
                index,
                position,
                arm,
                BASELINE_NS * factor * (1 + NOISE * random.nextGaussian()),
                1755.0,
                650.0,
                55.0,
                4);
    }

    /** Both have the same module and launch. */
    static Compared unchanged(GpuTask.Compare task) {
        return compared(task, TrialOutcome.COMPLETED, "", CompareVerdict.EQUAL, List.of());
    }

    /** The candidate came to this end. */
    public static Compared ended(GpuTask.Compare task, TrialOutcome outcome, String log) {
        return compared(task, outcome, log, CompareVerdict.INVALID, List.of());
    }

    /** The same, of blocks that are doubted. */
    static Compared doubted(GpuTask.Compare task, String doubt) {
        return with(asAsked(task), List.of(doubt), GPU);
    }

    /** The same by another GPU. */
    static Compared on(String gpu, GpuTask.Compare task) {
        return with(asAsked(task), List.of(), gpu);
    }

    private static Compared with(Compared said, List<String> doubts, String gpu) {
        return new Compared(
                said.verdict(),
                said.ratio(),
                said.first(),
                said.second(),
                said.blocks(),
                said.discards(),
                doubts,
                gpu,
                said.gpuSeconds(),
                said.log());
    }

    /** The hash of the module of a side; the twin that waits has one of its own. */
    static String cubin(GpuTask.Side side) {
        return Sha256.hex("cubin " + side);
    }

    private static ComparedSide side(String name, GpuTask.Side side, TrialOutcome outcome, String log) {
        ComparedSide ended = new ComparedSide(name, outcome, 0.2, log);
        // Of a peer nobody sees the module.
        return side instanceof GpuTask.Side.OfPeer ? ended : ended.of(Sha256.hex("ptx " + side), cubin(side), null);
    }

    private static Compared compared(
            GpuTask.Compare task, TrialOutcome outcome, String said, CompareVerdict verdict, List<Block> blocks) {
        return new Compared(
                verdict,
                blocks.isEmpty() ? null : new Ratio(1, 0.999, 1.001, BLOCKS),
                side(CANDIDATE, task.first(), outcome, said),
                side(
                        BASELINE,
                        verdict == CompareVerdict.EQUAL ? task.first() : task.second(),
                        TrialOutcome.COMPLETED,
                        ""),
                blocks,
                List.of(),
                List.of(),
                blocks.isEmpty() ? null : GPU,
                blocks.isEmpty() ? 0 : 1.5,
                "calm");
    }
}
