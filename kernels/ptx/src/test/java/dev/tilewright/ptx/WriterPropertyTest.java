package dev.tilewright.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.text.PtxWriter;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.testing.Draw;
import dev.tilewright.testing.Draws;
import dev.tilewright.testing.From;
import java.util.List;

/** Properties of any program. */
class WriterPropertyTest {

    static List<Integer> program(Draw draw) {
        return draw.list(0, 40, each -> each.between(0, 9));
    }

    @Draws
    void sameCallsSameTextByteForByte(@From("program") List<Integer> program) {
        PtxModule module = run(program);
        assertThat(PtxWriter.write(module)).isEqualTo(PtxWriter.write(module));
        assertThat(run(program)).isEqualTo(module);
        assertThat(PtxWriter.write(run(program))).isEqualTo(PtxWriter.write(module));
        assertThat(Validator.validate(module)).isEmpty();
    }

    @Draws
    void constantKeepsItsBits(int value) {
        assertThat(Immediate.b32(value)).isEqualTo(Immediate.b32(Integer.toUnsignedLong(value)));
        assertThat(Immediate.b32(value).bits()).isEqualTo(value);
        assertThat(Immediate.b32(value).unsigned()).isEqualTo(Integer.toUnsignedLong(value));
    }

    /** Each number is a step of a random program over one accumulator; 7 to 9 open nested blocks. */
    static PtxModule run(List<Integer> program) {
        return PtxModule.build(
                Target.SM_90A,
                m -> m.entry("random", e -> {
                    e.launchBounds(64, 0);
                    e.code(b -> {
                        Reg<B32> x = b.b32("x", program.size());
                        steps(b, x, program);
                        b.ret();
                    });
                }));
    }

    private static void steps(CodeBuilder b, Reg<B32> x, List<Integer> program) {
        if (program.isEmpty()) {
            return;
        }
        List<Integer> rest = program.subList(1, program.size());
        switch (program.getFirst()) {
            case 0 -> b.add(x, x, b.special(SpecialRegister.TID_X));
            case 1 -> b.mad(x, x, Immediate.b32(3), x);
            case 2 -> b.xor(x, x, 0xdeadbeefL);
            case 3 -> b.select(x, b.lt(x, 5), 7, x);
            case 4 -> b.guarded(b.eq(x, 1), g -> g.mov(x, 2));
            case 5 -> b.mov(b.b32(), b.shflIdx(x, 0));
            case 6 -> b.syncWarp();
            case 7 -> {
                b.ifThenElse(b.ge(x, 3), t -> steps(t, x, rest), f -> f.mov(x, 0));
                return;
            }
            case 8 -> {
                b.forRange("i", 0, x, (l, i) -> steps(l, x, rest));
                return;
            }
            default -> {
                b.whileLoop("w", l -> l.gt(x, Immediate.b32(100)), (l, loop) -> steps(l, x, rest));
                return;
            }
        }
        steps(b, x, rest);
    }
}
