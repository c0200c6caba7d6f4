package dev.tilewright.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.TinyKernel.Context;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Each hazard has a kernel of a few instructions that has it, and nothing else wrong. */
class HazardTest {
    private static Finding found(int threads, int cluster, Consumer<Context> body) {
        return new TinyKernel(threads, cluster, body).finding();
    }

    private static Finding one(Consumer<Context> body) {
        return found(32, 1, p -> p.b().ifThen(p.b().elect(), o -> body.accept(inside(p, o))));
    }

    private static Context inside(Context p, CodeBuilder b) {
        return new Context(b, p.base(), p.thread(), p.data(), p.barriers(), p.buffer(), p.map());
    }

    private static SharedAddress barrier(Context p, int index) {
        return p.barriers().barrier(p.base(), index);
    }

    private static SharedAddress data(Context p, int at) {
        return p.data().at(p.base(), at);
    }

    private static void init(Context p, int count) {
        p.b().mbarrierInit(barrier(p, 0), count);
        p.b().fenceBarrierInit();
    }

    private static void load(Context p, int at) {
        p.b().tmaLoad(data(p, at), p.map(), List.of(Immediate.b32(0), Immediate.b32(0)), barrier(p, 0));
    }

    private static void expect(Context p, int bytes) {
        p.b().mbarrierArriveExpectTx(barrier(p, 0), bytes);
    }

    private static void await(Context p, int parity) {
        p.b().waitParity(barrier(p, 0), Immediate.b32(parity));
    }

    @Test
    void copyThatIsAwaitedIsFine() {
        TinyKernel kernel = new TinyKernel(
                32,
                1,
                p -> p.b().ifThen(p.b().elect(), o -> {
                    Context q = inside(p, o);
                    init(q, 1);
                    expect(q, TinyKernel.BOX);
                    load(q, 0);
                    await(q, 0);
                    o.st32(q.buffer(), o.ld32(data(q, 4)));
                }));
        for (int seed = 0; seed < 20; seed++) {
            RunEnd verdict = kernel.run(seed);
            assertThat(verdict).isInstanceOf(RunEnd.Completed.class);
            byte[] buffer = ((RunEnd.Completed) verdict).buffer("buffer");
            assertThat(List.of(buffer[0], buffer[1], buffer[2], buffer[3]))
                    .containsExactly((byte) 28, (byte) 35, (byte) 42, (byte) 49);
        }
    }

    @Test
    void deadlockNamesBarrierPhaseAndArrivals() {
        Finding finding = one(p -> {
            init(p, 2);
            p.b().mbarrierArrive(barrier(p, 0));
            await(p, 0);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.Deadlock.class);
        assertThat(finding.message())
                .contains("tiny line", "mbarrier.try_wait", "warp 0", "lane 0", "phase 0 (parity 0) of bar[0] of CTA 0")
                .contains("1 of 2 arrivals pending, tx-count 0");
    }

    @Test
    void deadlockNamesWhoIsMissing() {
        Finding finding = one(p -> {
            init(p, 2);
            p.b().forRange("twice", 0, Immediate.b32(2), (l, i) -> {
                l.mbarrierArrive(barrier(p, 0));
                l.guarded(l.eq(i, 0), g -> g.mbarrierArrive(barrier(p, 0)));
            });
            await(p, 1);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.Deadlock.class);
        assertThat(finding.message())
                .contains(
                        "phase 1 (parity 1) of bar[0]",
                        "arrived in the phase before but not in this one: tiny line",
                        "mbarrier.arrive");
    }

    @Test
    void bytesThatNeverBalance() {
        Finding finding = one(p -> {
            init(p, 1);
            expect(p, TinyKernel.BOX + 16);
            load(p, 0);
            await(p, 0);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.UnbalancedTx.class);
        assertThat(finding.message()).contains("bar[0]", "tx-count 16");
    }

    @Test
    void readBeforeTheCopyLanded() {
        Finding finding = one(p -> {
            init(p, 1);
            expect(p, TinyKernel.BOX);
            load(p, 0);
            p.b().ld32(data(p, 0));
            await(p, 0);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.ReadBeforeCopy.class);
        assertThat(finding.message()).contains("data+0", "cp.async.bulk.tensor.2d", "phase 0 of bar[0]");
        assertThat(finding.site().instruction()).startsWith("ld.shared::cta");
    }

    @Test
    void overwrittenBeforeAnybodyWaited() {
        Finding finding = one(p -> {
            init(p, 1);
            expect(p, 2 * TinyKernel.BOX);
            load(p, 0);
            load(p, 0);
            await(p, 0);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.OverwrittenUnread.class);
    }

    private static void store(Context p) {
        p.b().tmaStore(p.map(), List.of(Immediate.b32(0), Immediate.b32(0)), data(p, 0));
        p.b().bulkCommitGroup();
    }

    private static void fill(Context p) {
        p.b().forRange("fill", 0, Immediate.b32(TinyKernel.BOX / 4), (l, i) -> {
            l.st32(new SharedAddress(l.mad(i, 4, p.base()), p.data().offset()), i);
        });
    }

    @Test
    void storeWithoutProxyFence() {
        Finding finding = one(p -> {
            fill(p);
            store(p);
            p.b().bulkWaitGroupRead(0);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.MissingProxyFence.class);
        assertThat(finding.message())
                .contains(
                        "missing fence.proxy.async: ",
                        "data+0",
                        "written by tiny line ",
                        "no thread executed that fence between");
    }

    @Test
    void overwrittenWhileTheStoreReads() {
        Finding finding = one(p -> {
            fill(p);
            p.b().fenceProxyAsyncShared();
            store(p);
            p.b().st32(data(p, 64), Immediate.b32(1));
            p.b().bulkWaitGroupRead(0);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.OverwrittenWhileRead.class);
        assertThat(finding.message()).contains("data+64", "the bulk store of tiny line");
    }

    @Test
    void storeThatNobodyWaitedFor() {
        Finding finding = one(p -> {
            fill(p);
            p.b().fenceProxyAsyncShared();
            store(p);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.LeakedWork.class);
        assertThat(finding.message()).contains("for whose reading nobody waited");
    }

    @Test
    void copyThatNobodyWaitedFor() {
        Finding finding = one(p -> {
            init(p, 1);
            expect(p, TinyKernel.BOX);
            load(p, 0);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.LeakedWork.class);
    }

    @Test
    void barrierBeforeInit() {
        Finding finding = one(p -> p.b().mbarrierArrive(barrier(p, 1)));
        assertThat(finding.hazard()).isInstanceOf(Hazard.NoBarrier.class);
        assertThat(finding.message()).contains("bar[1]", "mbarrier.arrive");
    }

    @Test
    void initThatIsNotFenced() {
        Finding finding = one(p -> {
            p.b().mbarrierInit(barrier(p, 0), 1);
            expect(p, TinyKernel.BOX);
            load(p, 0);
            await(p, 0);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.InitNotVisible.class);
    }

    @Test
    void oneArrivalTooMany() {
        Finding finding = one(p -> {
            init(p, 3);
            p.b().mbarrierArrive(Ordering.DEFAULT, barrier(p, 0), 2);
            p.b().mbarrierArrive(Ordering.DEFAULT, barrier(p, 0), 2);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.BarrierMisuse.class);
        assertThat(finding.message()).contains("arrival of 2 with 1 pending");
    }

    @Test
    void waiterTwoPhasesBehind() {
        Finding finding = found(64, 1, p -> {
            p.b().ifThen(p.b().eq(p.thread(), 0), o -> init(inside(p, o), 1));
            p.b().syncThreads();
            Reg<Pred> first = p.b().eq(p.thread(), 0);
            Reg<Pred> second = p.b().eq(p.thread(), 32);
            p.b().ifThen(first, o -> {
                o.mbarrierArrive(barrier(p, 0));
                o.mbarrierArrive(barrier(p, 0));
            });
            p.b().ifThen(second, o -> await(inside(p, o), 0));
        });
        assertThat(finding.hazard()).isInstanceOfAny(Hazard.PhaseOverrun.class, Hazard.Deadlock.class);
    }

    @Test
    void uninitialisedRegisterAndMemory() {
        Finding register = one(p -> p.b().st32(data(p, 0), p.b().b32("never")));
        assertThat(register.hazard()).isInstanceOf(Hazard.UninitialisedRead.class);
        assertThat(register.message()).contains("register %never");
        Finding memory = one(p -> p.b().st32(data(p, 0), p.b().ld32(data(p, 256))));
        assertThat(memory.hazard()).isInstanceOf(Hazard.UninitialisedRead.class);
        assertThat(memory.message()).contains("which comes of this: the load of tiny line", "data+256");
    }

    @Test
    void outOfBounds() {
        Finding global = one(p -> p.b().st32(p.buffer().plus(TinyKernel.BYTES), Immediate.b32(1)));
        assertThat(global.hazard()).isInstanceOf(Hazard.OutOfBounds.class);
        assertThat(global.message()).contains("byte 4096 of buffer buffer, which has 4096");
        Finding shared = one(p -> p.b().st32(new SharedAddress(p.base(), 1 << 20), Immediate.b32(1)));
        assertThat(shared.hazard()).isInstanceOf(Hazard.OutOfBounds.class);
    }

    @Test
    void misaligned() {
        Finding access = one(p -> p.b().st32(p.buffer().plus(2), Immediate.b32(1)));
        assertThat(access.hazard()).isInstanceOf(Hazard.Misaligned.class);
        assertThat(access.message())
                .startsWith("misaligned: store at global 0x")
                .contains("(byte 2 of buffer buffer, which has 4096) needs a multiple of 4");
        Finding shared = one(p -> p.b().st32(data(p, 6), Immediate.b32(1)));
        assertThat(shared.message())
                .contains("misaligned: store at data+6 (shared 0x406 of rank 0) needs a multiple of 4");
        Finding box = one(p -> {
            init(p, 1);
            Reg<B32> odd = p.b().add(p.base(), 16);
            p.b().tmaLoad(
                            new SharedAddress(odd, 0),
                            p.map(),
                            List.of(Immediate.b32(0), Immediate.b32(0)),
                            barrier(p, 0));
        });
        assertThat(box.hazard()).isInstanceOf(Hazard.Misaligned.class);
        assertThat(box.message()).contains("destination of a box", "multiple of 128");
    }

    @Test
    void exitedCta() {
        Finding finding = found(32, 2, p -> {
            p.b().ifThen(p.b().eq(p.thread(), 0), o -> init(inside(p, o), 1));
            p.b().clusterArrive(Sem.RELAXED);
            p.b().clusterWait();
            Reg<B32> rank = p.b().special(SpecialRegister.CLUSTER_CTARANK);
            Reg<Pred> sends = p.b().andPred(p.b().eq(rank, 0), p.b().eq(p.thread(), 0));
            p.b().ifThen(sends, o -> {
                Reg<B32> own = o.add(p.base(), p.barriers().offset());
                o.mbarrierArrive(
                        ClusterAddress.of(o.mapToRank(own, Immediate.b32(1)).base()));
            });
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.ExitedCta.class);
        assertThat(finding.message()).contains("mbarrier.arrive in the shared memory of CTA 1");
    }

    @Test
    void clusterBarrierHalves() {
        Finding finding = found(32, 2, p -> p.b().clusterWait());
        assertThat(finding.hazard()).isInstanceOf(Hazard.BarrierMisuse.class);
        assertThat(finding.message()).contains("without an arrive before");
    }

    // ---- warps together -----------------------------------------------------------------------------------------

    @Test
    void registersThatNobodyGaveBack() {
        Finding finding = found(384, 1, p -> p.b().role("math", 4, 8, r -> r.setMaxRegistersIncrease(232)));
        assertThat(finding.hazard()).isInstanceOf(Hazard.Deadlock.class);
        assertThat(finding.message()).contains("setmaxnreg.inc", "of which the CTA's pool has 0");
    }

    @Test
    void setmaxnregOfSomeWarps() {
        Finding finding = found(128, 1, p -> p.b().role("some", 0, 1, r -> r.setMaxRegistersDecrease(40)));
        assertThat(finding.hazard()).isInstanceOf(Hazard.RegisterPool.class);
    }

    @Test
    void electOfLanesThatAreNotThere() {
        Finding finding = found(32, 1, p -> {
            p.b().ifThen(p.b().lt(p.thread(), 16), o -> o.elect());
            // Where the others went on to: straight to the end, they would have left.
            p.b().add(p.thread(), 1);
        });
        assertThat(finding.hazard()).isInstanceOf(Hazard.Divergent.class);
        assertThat(finding.message()).contains("elect.sync of lanes 0xffffffff executed by lanes 0xffff");
    }

    @Test
    void trapAndEndlessLoop() {
        assertThat(one(p -> p.b().with(new Control.Trap())).hazard()).isInstanceOf(Hazard.Trapped.class);
        Finding endless = one(p -> p.b().loop("ever", (l, loop) -> l.add(p.base(), 1)));
        assertThat(endless.hazard()).isInstanceOf(Hazard.NoProgress.class);
        assertThat(endless.message()).contains("no end after 100000 steps, the most that a run may take");
    }
}
