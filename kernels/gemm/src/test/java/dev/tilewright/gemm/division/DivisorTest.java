package dev.tilewright.gemm.division;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand.Zero;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.machine.Machine;
import dev.tilewright.gemm.param.BoundParams;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draw;
import dev.tilewright.testing.Draws;
import dev.tilewright.testing.From;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class DivisorTest {

    static int divisors(Draw draw) {
        return draw.either() ? draw.between(1, 300) : draw.between(1, Integer.MAX_VALUE);
    }

    /** Where a quotient that is a little too large, or too small, would first show, and what is in between. */
    @Draws
    void dividesAsTheMachineDoes(@From("divisors") int divisor, @Between(max = Integer.MAX_VALUE) int any) {
        List<Integer> dividends = new ArrayList<>(List.of(any, 0, Integer.MAX_VALUE, divisor - 1, divisor));
        int below = any - any % divisor;
        dividends.add(below);
        dividends.add(Math.max(0, below - 1));
        for (int n : dividends) {
            assertThat(byText(divisor, n)).as(n + " / " + divisor).containsExactly(n / divisor, n % divisor);
            assertThat(byLaunch(divisor, n)).as(n + " / " + divisor).containsExactly(n / divisor, n % divisor);
        }
    }

    @Test
    void namesADivisorThatIsNone() {
        assertThatThrownBy(() -> new Divisor(0)).hasMessage("a divisor is at least 1, got 0");
    }

    /** With the divisor in the text. */
    private static List<Integer> byText(int divisor, int n) {
        Divisor known = new Divisor(divisor);
        return run(
                n, 0, _ -> (b, value) -> new DivisorCode.Division(known.divide(b, value), known.remainder(b, value)));
    }

    /** With the divisor in the arguments. */
    private static List<Integer> byLaunch(int divisor, int n) {
        return run(n, divisor, params -> {
            DivisorCode code = DivisorCode.declare(params, "divisor", Operands::divisor);
            return (b, value) -> code.load(b).divide(b, value);
        });
    }

    /** How a kernel divides, once its parameters are declared. */
    private interface Dividing {
        DivisorCode.Division of(CodeBuilder b, Reg<B32> dividend);
    }

    /** The facts of a launch. */
    private record Operands(int dividend, int divisor) {}

    private static List<Integer> run(int n, int divisor, Function<BoundParams<Operands>, Dividing> declare) {
        BoundParams<Operands> params = new BoundParams<>();
        Entry entry = PtxModule.build(
                        Target.SM_90A,
                        m -> m.entry("divide", e -> {
                            Param dividend = params.u32("dividend", Operands::dividend);
                            Dividing dividing = declare.apply(params);
                            Param out = params.buffer("out", BufferRole.WORKSPACE, Zero.NEVER, _ -> 8);
                            params.params().forEach(e::param);
                            e.launchBounds(32, 1);
                            e.code(b -> {
                                DivisorCode.Division division = dividing.of(b, b.param32(dividend));
                                GlobalAddress at = GlobalAddress.of(b.globalPointer(out));
                                b.st32(at, division.quotient());
                                b.st32(at.plus(4), division.remainder());
                                b.ret();
                            });
                        }))
                .entry("divide");
        List<Argument> arguments = params.arguments(new Operands(n, divisor));
        Map<Long, Integer> memory = new HashMap<>();
        Machine.run(entry, arguments, memory);
        long start = Machine.address(BufferRole.WORKSPACE);
        return List.of(memory.get(start), memory.get(start + 4));
    }
}
