package dev.tilewright.emulator.tcgen05;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.type.TensorAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** CTAs that share the tensor memory of an SM: each stores its number there and loads it again. */
class AllocationTest {
    private static final int CTAS = 6;

    /**
     * A kernel of one warp.
     *
     * @param columns that each CTA allocates
     * @param relinquishes whether it gives its permit back at once
     * @param fixed whether it takes the address for 0, not what the allocation said
     */
    private record Kernel(int columns, boolean relinquishes, boolean fixed) {
        PtxModule module() {
            return PtxModule.build(Target.SM_100A, m -> m.entry("allocate", this::entry));
        }

        private void entry(EntryBuilder e) {
            Param out = e.pointer("out");
            e.launchBounds(32, 3);
            SharedRegion address = e.shared("address", 16, 16);
            e.code(b -> {
                Reg<B32> cta = b.special(SpecialRegister.CTAID_X);
                SharedAddress answer = new SharedAddress(b.sharedBase(), address.offset());
                b.tensorAllocate(CtaGroup.ONE, answer, columns);
                if (relinquishes) {
                    b.tensorRelinquish(CtaGroup.ONE);
                }
                b.syncWarp();
                Reg<B32> said = b.ld32(answer);
                Reg<B32> tensor = fixed ? b.b32("zero", 0) : said;
                b.tensorWrite(TensorAddress.of(tensor), List.of(cta));
                b.with(new Tcgen05.WaitStore());
                List<Reg<B32>> back = b.b32Array("back", 1);
                b.tensorRead(back, TensorAddress.of(tensor));
                b.tensorWaitRead();
                Reg<Pred> first = b.eq(b.special(SpecialRegister.TID_X), 0);
                b.guarded(first, g -> {
                    Reg<dev.tilewright.ptx.type.RegisterType.B64> to = g.madWide(cta, 8, g.globalPointer(out));
                    g.st32(GlobalAddress.of(to), back.getFirst());
                    g.st32(new GlobalAddress(to, 4), said);
                });
                b.tensorDeallocate(CtaGroup.ONE, said, columns);
                b.ret();
            });
        }

        RunEnd run(long seed) {
            Launch launch = new Launch(
                    "allocate",
                    Dim3.of(CTAS),
                    Dim3.of(32),
                    Dim3.of(1),
                    module().entry("allocate").dynamicShared().bytes(),
                    List.of(new Argument.Pointer("out", 0)),
                    List.of(Buffer.of("out", new byte[8 * CTAS])));
            return new PtxEmulator(module(), "allocate").run(launch, new Options(1, seed, 100_000));
        }
    }

    private static ByteBuffer out(RunEnd verdict) {
        assertThat(verdict)
                .as(verdict instanceof RunEnd.Faulted f ? f.finding().message() : "")
                .isInstanceOf(RunEnd.Completed.class);
        return ByteBuffer.wrap(((RunEnd.Completed) verdict).buffer("out")).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void waitsUntilColumnsAreFree() {
        for (boolean relinquishes : List.of(true, false)) {
            for (int columns : List.of(512, 256, 32)) {
                for (int seed = 0; seed < 20; seed++) {
                    ByteBuffer out = out(new Kernel(columns, relinquishes, false).run(seed));
                    for (int cta = 0; cta < CTAS; cta++) {
                        assertThat(out.getInt(8 * cta)).isEqualTo(cta);
                        assertThat(out.getInt(8 * cta + 4) % columns).isZero();
                    }
                }
            }
        }
    }

    @Test
    void addressIsNotAlwaysTheSame() {
        Set<Integer> addresses = new HashSet<>();
        for (int seed = 0; seed < 20; seed++) {
            addresses.add(out(new Kernel(128, true, false).run(seed)).getInt(4));
        }
        assertThat(addresses).containsExactlyInAnyOrder(0, 128, 256, 384);
    }

    @Test
    void addressThatIsTakenForGrantedIsFound() {
        boolean found = false;
        for (int seed = 0; seed < 20; seed++) {
            if (new Kernel(128, true, true).run(seed) instanceof RunEnd.Faulted faulted) {
                assertThat(faulted.finding().hazard()).isInstanceOf(Hazard.TensorMemoryMisuse.class);
                found = true;
            }
        }
        assertThat(found).isTrue();
    }

    @Test
    void sizeThatIsNoPowerOfTwoIsFound() {
        PtxModule module = PtxModule.build(
                Target.SM_100A,
                m -> m.entry("allocate", e -> {
                    e.launchBounds(32, 1);
                    SharedRegion address = e.shared("address", 16, 16);
                    e.code(b -> {
                        Reg<B32> columns = b.b32("columns", 96);
                        b.with(new dev.tilewright.ptx.instruction.Tcgen05.Allocate(
                                CtaGroup.ONE, new SharedAddress(b.sharedBase(), address.offset()), columns));
                        b.mov(columns, Immediate.b32(0));
                        b.ret();
                    });
                }));
        Launch launch = new Launch(
                "allocate",
                Dim3.of(1),
                Dim3.of(32),
                Dim3.of(1),
                module.entry("allocate").dynamicShared().bytes(),
                List.of(),
                List.of());
        RunEnd verdict = new PtxEmulator(module, "allocate").run(launch, Options.seed(0));
        assertThat(verdict).isInstanceOf(RunEnd.Faulted.class);
        assertThat(((RunEnd.Faulted) verdict).finding().message())
                .contains("tcgen05.alloc of 96 columns, not a power of two 32..512");
    }
}
