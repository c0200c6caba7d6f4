package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.Configs;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.machine.Machine;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.space.device.DeviceLimits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A kernel without one of its synchronising instructions does not get through the machine of {@link ProtocolTest}. */
class MutationTest {

    private static final DeviceLimits TWO = DeviceLimits.of(2);

    @Test
    void stagesThatAreNeverHandedBack() {
        assertThatThrownBy(() -> run(Configs.with("tileN=64"), instruction -> instruction instanceof Mbarrier.Arrive))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("deadlock: ");
    }

    @Test
    void pingpongWithoutTurns() {
        assertThatThrownBy(() -> run(
                        Configs.with("mode=pingpong tileM=64 tileN=64 loadStages=3"),
                        instruction -> instruction instanceof Barrier.CtaBarrier barrier
                                && barrier.id() instanceof Immediate<?> id
                                && id.bits() >= 5))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void bytesThatNobodyExpects() {
        assertThatThrownBy(() ->
                        run(Configs.with("tileN=64"), instruction -> instruction instanceof Mbarrier.ArriveExpectTx))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("deadlock: ");
    }

    private static void run(Config config, Predicate<Instruction> dropped) {
        GemmKernel whole = new Sm90Gemm().build(config, false);
        Problem problem = Problem.of(ProblemShape.parse("640x320x200"), DataType.BF16);
        KernelLaunch launch = whole.launch(problem, TWO, config);
        Machine.run(whole, launch, new HashMap<>(), 1);
        Entry entry = whole.module().entry(Sm90Gemm.ENTRY);
        List<Statement> body = new ArrayList<>(entry.body());
        body.removeIf(statement -> switch (statement) {
            case Instruction instruction -> dropped.test(instruction);
            case Statement.Guarded guarded -> dropped.test(guarded.instruction());
            case Statement.LabelTarget _, Statement.Comment _ -> false;
        });
        Entry mutant = entry.withBody(body);
        PtxModule module = new PtxModule(whole.module().target(), whole.module().shared(), List.of(mutant));
        GemmKernel broken = new GemmKernel(module, whole.text(), false, whole.rule(), whole.sumError());
        for (int seed = 1; seed <= 20; seed++) {
            Machine.run(broken, launch, new HashMap<>(), seed);
        }
    }
}
