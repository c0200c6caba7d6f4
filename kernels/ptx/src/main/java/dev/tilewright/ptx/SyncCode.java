package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Barrier.ClusterAction;
import dev.tilewright.ptx.instruction.Barrier.ClusterBarrier;
import dev.tilewright.ptx.instruction.Barrier.CtaAction;
import dev.tilewright.ptx.instruction.Barrier.CtaBarrier;
import dev.tilewright.ptx.instruction.Barrier.Elect;
import dev.tilewright.ptx.instruction.Barrier.GridDependency;
import dev.tilewright.ptx.instruction.Barrier.GridDependencyAction;
import dev.tilewright.ptx.instruction.Barrier.Nanosleep;
import dev.tilewright.ptx.instruction.Barrier.ProxyFence;
import dev.tilewright.ptx.instruction.Barrier.ProxyFenceSpace;
import dev.tilewright.ptx.instruction.Barrier.SetMaxRegisters;
import dev.tilewright.ptx.instruction.Barrier.Shuffle;
import dev.tilewright.ptx.instruction.Barrier.ShuffleMode;
import dev.tilewright.ptx.instruction.Barrier.WarpBarrier;
import dev.tilewright.ptx.instruction.Mbarrier.Arrive;
import dev.tilewright.ptx.instruction.Mbarrier.ArriveExpectTx;
import dev.tilewright.ptx.instruction.Mbarrier.FenceInit;
import dev.tilewright.ptx.instruction.Mbarrier.Init;
import dev.tilewright.ptx.instruction.Mbarrier.MapToRank;
import dev.tilewright.ptx.instruction.Mbarrier.Wait;
import dev.tilewright.ptx.instruction.Mbarrier.WaitMode;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.Sem;
import dev.tilewright.ptx.type.SharedAddress;
import java.util.Optional;

/** Barriers of CTA and cluster, fences, warp-wide operations, mbarriers. */
public interface SyncCode extends Emitter {
    /** All lanes of a warp. */
    int ALL_LANES = -1;

    /** All threads of the CTA meet. */
    default void syncThreads() {
        with(new CtaBarrier(CtaAction.SYNC, false, Immediate.b32(0), Optional.empty()));
    }

    /** Named barrier: {@code threads} threads meet. */
    default void barrierSync(int id, int threads) {
        barrierSync(Immediate.b32(id), threads);
    }

    default void barrierSync(Operand<B32> id, int threads) {
        with(new CtaBarrier(CtaAction.SYNC, false, id, Optional.of(Immediate.b32(threads))));
    }

    /** Named barrier: counts as arrived, does not wait. */
    default void barrierArrive(int id, int threads) {
        barrierArrive(Immediate.b32(id), threads);
    }

    default void barrierArrive(Operand<B32> id, int threads) {
        with(new CtaBarrier(CtaAction.ARRIVE, false, id, Optional.of(Immediate.b32(threads))));
    }

    default void syncWarp() {
        with(new WarpBarrier(Immediate.b32(ALL_LANES)));
    }

    /** Cluster barrier, release then acquire. */
    default void clusterSync() {
        clusterArrive(Sem.RELEASE);
        clusterWait();
    }

    /** RELAXED (enough behind {@link #fenceBarrierInit}) or RELEASE. */
    default void clusterArrive(Sem sem) {
        with(new ClusterBarrier(ClusterAction.ARRIVE, sem, false));
    }

    default void clusterWait() {
        with(new ClusterBarrier(ClusterAction.WAIT, Sem.ACQUIRE, false));
    }

    /** Makes this thread's writes to shared memory visible to TMA and wgmma. */
    default void fenceProxyAsyncShared() {
        with(new ProxyFence(ProxyFenceSpace.SHARED_CTA));
    }

    /** True in one lane of the warp, always the same one. */
    default Reg<Pred> elect() {
        return into(pred(), d -> with(new Elect(Optional.empty(), d, Immediate.b32(ALL_LANES))));
    }

    /** The value of another lane; the result of lane 0 tells the assembler that a value is uniform in the warp. */
    default Reg<B32> shflIdx(Operand<B32> a, Operand<B32> lane) {
        return into(
                b32(),
                d -> with(new Shuffle(
                        ShuffleMode.IDX, d, Optional.empty(), a, lane, Immediate.b32(31), Immediate.b32(ALL_LANES))));
    }

    default Reg<B32> shflIdx(Operand<B32> a, int lane) {
        return shflIdx(a, Immediate.b32(lane));
    }

    /** The value of lane {@code lane ^ mask}. */
    default Reg<B32> shflXor(Operand<B32> a, int mask) {
        Reg<B32> d = b32();
        with(new Shuffle(
                ShuffleMode.BFLY,
                d,
                Optional.empty(),
                a,
                Immediate.b32(mask),
                Immediate.b32(31),
                Immediate.b32(ALL_LANES)));
        return d;
    }

    /** Registers per thread of this warpgroup from now on, more than before. */
    default void setMaxRegistersIncrease(int count) {
        with(new SetMaxRegisters(true, count));
    }

    /** Registers per thread of this warpgroup from now on, fewer than before. */
    default void setMaxRegistersDecrease(int count) {
        with(new SetMaxRegisters(false, count));
    }

    /** Waits for the grids before (programmatic dependent launch). */
    default void gridDependencyWait() {
        with(new GridDependency(GridDependencyAction.WAIT));
    }

    /** Lets the next grid start (programmatic dependent launch). */
    default void gridLaunchDependents() {
        with(new GridDependency(GridDependencyAction.LAUNCH_DEPENDENTS));
    }

    default void nanosleep(int nanoseconds) {
        with(new Nanosleep(Immediate.b32(nanoseconds)));
    }

    /** One thread: a barrier that expects {@code arrivals} arrivals per phase. */
    default void mbarrierInit(SharedAddress barrier, int arrivals) {
        with(new Init(barrier, Immediate.b32(arrivals)));
    }

    /** The same thread, after its inits and before the barrier that publishes them. */
    default void fenceBarrierInit() {
        with(new FenceInit());
    }

    /** Arrives once: at a {@link SharedAddress} or, through {@link #mapToRank}, in another CTA. */
    default void mbarrierArrive(Address barrier) {
        with(new Arrive(Ordering.DEFAULT, barrier, Optional.empty()));
    }

    default void mbarrierArrive(Ordering ordering, Address barrier, int count) {
        with(new Arrive(ordering, barrier, Optional.of(Immediate.b32(count))));
    }

    /** Expects bytes of asynchronous copies in this phase, then arrives once. */
    default void mbarrierArriveExpectTx(Address barrier, int bytes) {
        with(new ArriveExpectTx(Ordering.DEFAULT, barrier, Immediate.b32(bytes)));
    }

    /**
     * {@code d} = whether the phase of that parity has completed; may suspend for a while. The ordering is
     * {@code Ordering.acquire(Scope.CLUSTER)} after writes of other CTAs.
     */
    default void mbarrierTryWait(Ordering ordering, Reg<Pred> d, SharedAddress barrier, Operand<B32> parity) {
        with(new Wait(WaitMode.TRY_WAIT, ordering, d, barrier, parity, Optional.empty()));
    }

    /** {@code d} = the same now, without waiting. */
    default void mbarrierTestWait(Reg<Pred> d, SharedAddress barrier, Operand<B32> parity) {
        with(new Wait(WaitMode.TEST_WAIT, Ordering.DEFAULT, d, barrier, parity, Optional.empty()));
    }

    /** {@code d} = a shared address of this CTA, mapped to the same offset in CTA {@code rank} of the cluster. */
    default void mapToRank(Reg<B32> d, Operand<B32> address, Operand<B32> rank) {
        with(new MapToRank(false, d, address, rank));
    }

    default ClusterAddress mapToRank(Operand<B32> address, Operand<B32> rank) {
        Reg<B32> d = b32();
        mapToRank(d, address, rank);
        return ClusterAddress.of(d);
    }
}
