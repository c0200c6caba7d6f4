package dev.tilewright.emulator.launch;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Dim3;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory.AtomicOperation;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B128;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.Scope;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.Target;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A grid of CTAs that each add 1 to an entry of their own; clusters steal one another's work by the protocol of a ring
 * of answers, from which a test leaves out a part.
 *
 * @param cluster CTAs of a cluster
 * @param slots of the ring
 */
record StealingKernel(int cluster, int slots, Set<Omission> omissions) {
    /** What is wrong with it. */
    enum Omission {
        /** The barrier expects nothing. */
        EXPECT,
        /** Readers release nothing between the proxies. */
        RELEASE_FENCE,
        /** Who asks acquires nothing. */
        ACQUIRE_FENCE,
        /** The coordinates are taken whatever the answer. */
        CHECK,
        /** Who asks does so once more after a failure. */
        STOP,
        /** Who asks does not wait for the slot to be empty. */
        EMPTY,
        /** Waits reach their own CTA alone. */
        WIDE_WAIT,
        /** A CTA leaves without the others. */
        LAST_BARRIER,
        /** The answer is read before it has come. */
        FULL
    }

    private static final int THREADS = 64;
    private static final Ordering WAIT = Ordering.acquire(Scope.CLUSTER);

    StealingKernel(int cluster, int slots) {
        this(cluster, slots, EnumSet.noneOf(Omission.class));
    }

    StealingKernel without(Omission omission) {
        return new StealingKernel(cluster, slots, EnumSet.of(omission));
    }

    private boolean has(Omission omission) {
        return !omissions.contains(omission);
    }

    PtxModule module() {
        return PtxModule.build(Target.SM_100A, m -> m.entry("steal", this::entry));
    }

    /** What both roles use. */
    private record Ring(
            CodeBuilder b, Reg<B32> base, int answersAt, int fullAt, int emptyAt, Reg<B32> slot, Reg<B32> parity) {
        SharedAddress answer() {
            return new SharedAddress(b.mad(slot, 16, base), answersAt);
        }

        SharedAddress full() {
            return new SharedAddress(b.mad(slot, 8, base), fullAt);
        }

        SharedAddress empty() {
            return new SharedAddress(b.mad(slot, 8, base), emptyAt);
        }

        void advance(int slots) {
            b.add(slot, slot, 1);
            Reg<Pred> wraps = b.eq(slot, slots);
            b.guarded(wraps, g -> {
                g.mov(slot, 0);
                g.xor(parity, parity, Immediate.b32(1));
            });
        }
    }

    private void entry(EntryBuilder e) {
        Param counts = e.pointer("counts");
        e.launchBounds(THREADS, 1);
        if (cluster > 1) {
            e.cluster(cluster, 1, 1);
        }
        SharedRegion answers = e.shared("answers", 16 * slots, 16);
        SharedRegion full = e.barriers("full", slots);
        SharedRegion empty = e.barriers("empty", slots);
        e.code(b -> {
            Reg<B32> base = b.sharedBase();
            Reg<B32> thread = b.special(SpecialRegister.TID_X);
            Reg<B32> rank = b.special(SpecialRegister.CLUSTER_CTARANK);
            b.ifThen(b.eq(thread, 0), t -> {
                for (int slot = 0; slot < slots; slot++) {
                    t.mbarrierInit(new SharedAddress(base, full.offset() + 8 * slot), 1);
                    t.mbarrierInit(new SharedAddress(base, empty.offset() + 8 * slot), cluster + 1);
                }
                t.fenceBarrierInit();
            });
            b.clusterSync();
            Reg<Pred> asks = b.andPred(b.eq(thread, 0), b.eq(rank, 0));
            b.ifThen(asks, t -> ask(t, ring(t, base, answers, full, empty)));
            b.ifThen(b.eq(thread, 32), t -> work(t, ring(t, base, answers, full, empty), rank, counts));
            if (has(Omission.LAST_BARRIER)) {
                b.syncWarp();
                b.clusterSync();
            }
            b.ret();
        });
    }

    private static Ring ring(
            CodeBuilder b, Reg<B32> base, SharedRegion answers, SharedRegion full, SharedRegion empty) {
        Reg<B32> slot = b.b32();
        Reg<B32> parity = b.b32();
        b.mov(slot, 0);
        b.mov(parity, 0);
        return new Ring(b, base, answers.offset(), full.offset(), empty.offset(), slot, parity);
    }

    private Ordering waiting() {
        return has(Omission.WIDE_WAIT) ? WAIT : Ordering.DEFAULT;
    }

    private void ask(CodeBuilder b, Ring ring) {
        Reg<B32> extra = b.b32();
        b.mov(extra, 0);
        b.doWhile("ask", l -> {
            Ring r = new Ring(l, ring.base, ring.answersAt, ring.fullAt, ring.emptyAt, ring.slot, ring.parity);
            if (has(Omission.EMPTY)) {
                l.waitParity(WAIT, r.empty(), l.xor(r.parity, Immediate.b32(1)));
            }
            if (has(Omission.ACQUIRE_FENCE)) {
                l.fenceAnswerReuse();
            }
            for (int rank = 0; rank < cluster; rank++) {
                ClusterAddress there = l.mapToRank(l.add(r.full().base(), r.fullAt), Immediate.b32(rank));
                if (has(Omission.EXPECT)) {
                    l.with(new Mbarrier.ArriveExpectTx(Ordering.relaxed(Scope.CLUSTER), there, Immediate.b32(16)));
                } else {
                    l.mbarrierArrive(Ordering.release(Scope.CLUSTER), there, 1);
                }
            }
            if (cluster > 1) {
                l.tryCancel(r.answer(), r.full());
            } else {
                l.tryCancelAlone(r.answer(), r.full());
            }
            l.waitParity(WAIT, r.full(), r.parity);
            Reg<B128> answer = l.loadAnswer(r.answer());
            Reg<Pred> canceled = l.pred();
            l.isCanceled(canceled, answer);
            readIsOver(l, r);
            r.advance(slots);
            if (!has(Omission.STOP)) {
                // Once more, though it has failed.
                l.guardedNot(canceled, g -> g.add(extra, extra, 1));
                return l.setp(
                        dev.tilewright.ptx.instruction.Compare.Relation.LT, ScalarType.U32, extra, Immediate.b32(2));
            }
            return canceled;
        });
    }

    private void readIsOver(CodeBuilder b, Ring ring) {
        if (has(Omission.RELEASE_FENCE)) {
            b.fenceAnswerRead();
        }
        ClusterAddress empty = b.mapToRank(b.add(ring.empty().base(), ring.emptyAt), Immediate.b32(0));
        b.mbarrierArrive(Ordering.release(Scope.CLUSTER), empty, 1);
    }

    private void work(CodeBuilder b, Ring ring, Reg<B32> rank, Param counts) {
        Reg<B32> cta = b.special(SpecialRegister.CTAID_X);
        b.doWhile("work", l -> {
            Ring r = new Ring(l, ring.base, ring.answersAt, ring.fullAt, ring.emptyAt, ring.slot, ring.parity);
            l.red(
                    Ordering.relaxed(Scope.GPU),
                    AtomicOperation.ADD,
                    ScalarType.U32,
                    GlobalAddress.of(l.madWide(cta, 4, l.globalPointer(counts))),
                    Immediate.b32(1));
            if (has(Omission.FULL)) {
                l.waitParity(waiting(), r.full(), r.parity);
            }
            Reg<B128> answer = l.loadAnswer(r.answer());
            Reg<Pred> canceled = l.pred();
            l.isCanceled(canceled, answer);
            if (has(Omission.CHECK)) {
                l.guarded(
                        canceled,
                        g -> g.with(new ClusterLaunchControl.FirstCta(ClusterLaunchControl.Dimension.X, cta, answer)));
            } else {
                l.firstCtaX(cta, answer);
            }
            l.add(cta, cta, rank);
            readIsOver(l, r);
            r.advance(slots);
            return canceled;
        });
    }

    // ---- the run ------------------------------------------------------------------------------------------------

    RunEnd run(int clusters, Options options) {
        int ctas = clusters * cluster;
        Launch launch = new Launch(
                "steal",
                Dim3.of(ctas),
                Dim3.of(THREADS),
                Dim3.of(cluster),
                module().entry("steal").dynamicShared().bytes(),
                List.of(new Argument.Pointer("counts", 0)),
                List.of(Buffer.of("counts", new byte[4 * ctas])));
        return new PtxEmulator(module(), "steal").run(launch, options.withStepLimit(2_000_000));
    }

    /** How often each CTA's work was done. */
    static int[] counts(RunEnd.Completed run) {
        ByteBuffer bytes = ByteBuffer.wrap(run.buffer("counts")).order(ByteOrder.LITTLE_ENDIAN);
        int[] counts = new int[bytes.capacity() / 4];
        bytes.asIntBuffer().get(counts);
        return counts;
    }
}
