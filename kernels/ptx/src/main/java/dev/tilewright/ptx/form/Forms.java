package dev.tilewright.ptx.form;

import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.CachePolicy;
import dev.tilewright.ptx.instruction.CarryArithmetic;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Convert;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Irregular;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import dev.tilewright.ptx.instruction.Tooling;
import dev.tilewright.ptx.instruction.WarpExchange;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.Wgmma;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The table of instructions, in the {@link Notation}: a line spells an instruction, or tells its operands where its
 * family spells the mnemonic. {@link Irregular} instructions have no line for their operands.
 */
public final class Forms {
    private static final String DONE = "mbarrier::complete_tx::bytes";
    private static final String OWN = "shared::cta/shared";
    private static final String BYTES = "bytes:u32<16.." + BulkCopy.MOST_BYTES;

    private static final Table TABLE = new Table()
            // arithmetic
            .addByRecord(Arithmetic.Binary.class, "{operation}.{type} d a:type b:type")
            .addByRecord(Arithmetic.Unary.class, "{operation}.{type} d a:type")
            .add(Arithmetic.MultiplyWide.class, "mul.wide.{type} d a:type b:type")
            .add(Arithmetic.Lop3.class, "lop3.b32 d:b32 a:b32 b:b32 c:b32 table:0x0..0xff")
            .add(Arithmetic.BitFieldExtract.class, "bfe.{type} d:type a:type position:u32 length:u32")
            .addByRecord(
                    CarryArithmetic.MultiplyAdd.class,
                    "{carryIn:madc|mad}.{half}.{carryOut:cc|}.{type} d:type a:type b:type c:type")
            .add(BitField.Insert.class, "bfi.{type} d:type a:type b:type position:u32 length:u32")
            .add(BitField.FunnelShift.class, "shf.{left:l|r}.{wrap:wrap|clamp}.b32 d:b32 a:b32 b:b32 count:u32")
            .add(BitField.FindHighest.class, "bfind.{shift:shiftamt|}.{type} d:u32 a:type")
            .add(BitField.Mask.class, "bmsk.{wrap:wrap|clamp}.b32 d:b32 position:u32 length:u32")
            .add(BitField.Permute.class, "prmt.b32.{mode} d:b32 a:b32 b:b32 selector:b32")
            .add(BitField.AbsoluteDifference.class, "sad.{type} d:type a:type b:type c:type")
            .addByRecord(BitField.PairBinary.class, "{operation}.{relu:relu|}.{signed:s16x2|u16x2} d:b32 a:b32 b:b32")
            .add(BitField.DotProduct.class, "dp4a.{typeA}.{typeB} d:b32 a:b32 b:b32 c:b32")
            // floats
            .addByRecord(
                    FloatMath.Binary.class,
                    "{operation}.{rounding}.{options[ftz,NaN,xorsign+abs,sat,relu]}.{type|f32x2} d:type a:type b:type")
            .add(
                    FloatMath.Fma.class,
                    "fma.{rounding}.{options[ftz,NaN,xorsign+abs,sat,relu]}.{type|f32x2} d:type a:type b:type c:type")
            .addByRecord(FloatMath.Unary.class, "{operation}.{rounding}.{flushToZero:ftz|}.{type} d:type a:type")
            .add(FloatMath.CopySign.class, "copysign.{type} d:type a:type b:type")
            .add(FloatMath.Test.class, "testp.{property}.{type} d a:type")
            // conversions, comparisons
            .addByRecord(Convert.Cvt.class, "cvt.{rounding}.{options[ftz,sat,relu,satfinite]}.{to}.{from} d a:from")
            .addByRecord(
                    Convert.Pair.class,
                    "cvt.{rounding}.{options[ftz,sat,relu,satfinite]}.{to}.f32 d:b32 high:f32 low:f32")
            .add(Convert.ToTf32.class, "cvt.{rounding}.{finite:satfinite|}.{relu:relu|}.tf32.f32 d:b32 a:f32")
            .addByRecord(Convert.ToFp8.class, "cvt.rn.satfinite.{relu:relu|}.{to}x2.f32 d:b16 high:f32 low:f32")
            .addByRecord(Convert.HalvesToFp8.class, "cvt.rn.satfinite.{relu:relu|}.{to}x2.f16x2 d:b16 a:b32")
            .addByRecord(Convert.Fp8ToHalves.class, "cvt.rn.{relu:relu|}.f16x2.{from}x2 d:b32 a:b16")
            .add(Convert.SaturateAndPack.class, "cvt.pack.sat.{to}.s32.{c?b32} d:b32 a:s32 b:s32 c:b32")
            .add(Compare.PredicateBinary.class, "{operation}.pred d a b")
            .add(Compare.PredicateNot.class, "not.pred d a")
            .add(Compare.Select.class, "selp.{type} d:type a:type b:type p")
            .add(Compare.SelectBySign.class, "slct.{flushToZero:ftz|}.{type}.{of} d:type a:type b:type c:of")
            // control
            .add(Control.Branch.class, "bra.{uniform:uni|} label")
            .add(Control.Return.class, "ret./uni")
            .add(Control.Exit.class, "exit")
            .add(Control.Trap.class, "trap")
            .add(Tooling.Breakpoint.class, "brkpt")
            .add(Tooling.PerformanceEvent.class, "pmevent event:0..15")
            // memory
            .add(
                    Memory.Atomic.class,
                    "atom.{ordering=relaxed,gpu}.{@address}.{operation}.{noFlush:noftz|}.{policy?L2::cache_hint}"
                            + ".{d+b*v}.{type} d:type [address] b:type c:type policy:b64")
            .add(
                    Memory.Reduce.class,
                    "red.{ordering=relaxed,gpu}.{@address}.{operation}.{noFlush:noftz|}.{policy?L2::cache_hint}"
                            + ".{b*v}.{type} [address] b:type policy:b64")
            .add(
                    Memory.StoreAsync.class,
                    "st.async./weak.shared::cluster." + DONE + ".{values*v}.{type} [address] values:type [barrier]")
            .add(
                    Memory.ReduceAsync.class,
                    "red.async.relaxed.cluster.shared::cluster." + DONE
                            + ".{operation}.{type} [address] b:type [barrier]")
            .add(Memory.Prefetch.class, "prefetch.{@address}.{level} [address]")
            .add(Memory.PrefetchTensorMap.class, "prefetch.tensormap [map]")
            .add(
                    CachePolicy.Fractional.class,
                    "createpolicy.fractional.L2::{primary}.L2::{secondary}.b64 d:b64 fraction:f32")
            .add(
                    CachePolicy.Range.class,
                    "createpolicy.range.{@address}.L2::{primary}.L2::{secondary}.b64"
                            + " d:b64 [address] primaryBytes:b32 totalBytes:b32")
            .add(CachePolicy.FromProperty.class, "createpolicy.cvt.L2.b64 d:b64 property:b64")
            .add(CachePolicy.ResetPriority.class, "applypriority.{@address}.L2::evict_normal [address] =128")
            .add(CachePolicy.Discard.class, "discard.{@address}.L2 [address] =128")
            // barriers and fences
            .add(Barrier.WarpBarrier.class, "bar.warp.sync mask:hex")
            .add(Barrier.ClusterBarrier.class, "barrier.cluster.{action}.{sem}.{aligned:aligned|}")
            .addByRecord(Barrier.ThreadFence.class, "fence.{sem=acq_rel}.{scope}")
            .add(Barrier.ProxyFence.class, "fence.proxy.async.{space}")
            .add(Barrier.Elect.class, "elect.sync _lane|d mask:hex")
            .add(Barrier.Shuffle.class, "shfl.sync.{mode}.b32 d:b32|valid a:b32 b:b32 c:b32 mask:hex")
            .add(Barrier.Vote.class, "vote.sync.{mode}.pred d p!negated mask:hex")
            .add(Barrier.Ballot.class, "vote.sync.ballot.b32 d p!negated mask:hex")
            .add(Barrier.SetMaxRegisters.class, "setmaxnreg.{increase:inc|dec}.sync.aligned.u32 count:0..256")
            .add(Barrier.GridDependency.class, "griddepcontrol.{action}")
            .add(Barrier.Nanosleep.class, "nanosleep.u32 nanoseconds:u32")
            .add(WarpExchange.MatchAny.class, "match.any.sync.{type} d:b32 a:type mask:hex")
            .add(WarpExchange.MatchAll.class, "match.all.sync.{type} d:b32|all a:type mask:hex")
            .addByRecord(WarpExchange.Reduce.class, "redux.sync.{operation}.{type} d:type a:type mask:hex")
            .add(WarpExchange.ActiveMask.class, "activemask.b32 d:b32")
            .add(WarpExchange.AliasFence.class, "fence.proxy.alias")
            .add(Mbarrier.Init.class, "mbarrier.init.{@barrier}.b64 [barrier] count:u32")
            .add(Mbarrier.Invalidate.class, "mbarrier.inval.{@barrier}.b64 [barrier]")
            .add(
                    Mbarrier.Arrive.class,
                    "mbarrier.{drop:arrive_drop|arrive}.{noComplete:noComplete|}.{ordering=release,cta}.{@barrier}.b64"
                            + " _state:b64 [barrier] count:u32<1.." + Mbarrier.MAX_COUNT)
            .add(
                    Mbarrier.ArriveExpectTx.class,
                    "mbarrier.{drop:arrive_drop|arrive}.expect_tx.{ordering=release,cta}.{@barrier}.b64"
                            + " _state:b64 [barrier] bytes:u32<0.." + Mbarrier.MAX_COUNT)
            .add(
                    Mbarrier.ExpectTx.class,
                    "mbarrier.expect_tx.{ordering=relaxed,cta!}.{@barrier}.b64 [barrier] bytes:u32")
            .add(
                    Mbarrier.CompleteTx.class,
                    "mbarrier.complete_tx.{ordering=relaxed,cta!}.{@barrier}.b64 [barrier] bytes:u32")
            .add(Mbarrier.PendingCount.class, "mbarrier.pending_count.b64 d:u32 state:b64")
            .add(Mbarrier.FenceInit.class, "fence.mbarrier_init.release.cluster")
            // copies
            .add(AsyncCopy.CommitGroup.class, "cp.async.commit_group")
            .add(AsyncCopy.WaitGroup.class, "cp.async.wait_group pending:0..255")
            .add(AsyncCopy.WaitAll.class, "cp.async.wait_all")
            .add(AsyncCopy.ArriveWhenDone.class, "cp.async.mbarrier.arrive.{counted:noinc|}.{@barrier}.b64 [barrier]")
            .add(
                    BulkCopy.TensorLoad.class,
                    "cp.async.bulk.tensor.{coordinates#}.shared::cluster/shared::cta/shared.global"
                            + ".{fourRows:tile::gather4|tile/}.!tile::scatter4." + DONE
                            + ".{multicast?multicast::cluster}.{group}.{policy?L2::cache_hint}"
                            + " [destination%128] [map,coordinates] [barrier:group] multicast:b16 policy:b64")
            .add(
                    BulkCopy.TensorStore.class,
                    "cp.async.bulk.tensor.{coordinates#}.global." + OWN
                            + ".{fourRows:tile::scatter4|tile/}.!tile::gather4.bulk_group"
                            + ".{policy?L2::cache_hint} [map,coordinates] [source%128] policy:b64")
            .add(
                    BulkCopy.TensorReduce.class,
                    "cp.reduce.async.bulk.tensor.{coordinates#}.global." + OWN
                            + ".{operation}.tile/.!tile::gather4.!tile::scatter4.bulk_group"
                            + ".{policy?L2::cache_hint} [map,coordinates] [source%128] policy:b64")
            .add(
                    BulkCopy.TensorPrefetch.class,
                    "cp.async.bulk.prefetch.tensor.{coordinates#}.L2.global.{fourRows:tile::gather4|tile/}"
                            + ".!tile::scatter4.{policy?L2::cache_hint} [map,coordinates] policy:b64")
            .add(
                    BulkCopy.Load.class,
                    "cp.async.bulk.shared::cluster/shared::cta/shared.global." + DONE
                            + ".{multicast?multicast::cluster}.{policy?L2::cache_hint}"
                            + " [destination%16] [source] " + BYTES + " [barrier] multicast:b16 policy:b64")
            .add(
                    BulkCopy.Store.class,
                    "cp.async.bulk.global." + OWN + ".bulk_group.{policy?L2::cache_hint}"
                            + " [destination] [source%16] " + BYTES + " policy:b64")
            .add(
                    BulkCopy.SharedToCluster.class,
                    "cp.async.bulk.shared::cluster." + OWN + "." + DONE + " [destination%16] [source%16] " + BYTES
                            + " [barrier]")
            .add(
                    BulkCopy.Reduce.class,
                    "cp.reduce.async.bulk.global." + OWN + ".bulk_group.{policy?L2::cache_hint}.{operation}"
                            + ".{noFlush:noftz|}.{type} [destination] [source%16] " + BYTES + " policy:b64")
            .add(
                    BulkCopy.ReduceToCluster.class,
                    "cp.reduce.async.bulk.shared::cluster." + OWN + "." + DONE
                            + ".{operation}.{type} [destination%16] [source%16] " + BYTES + " [barrier]")
            .add(
                    BulkCopy.Prefetch.class,
                    "cp.async.bulk.prefetch.L2.global.{policy?L2::cache_hint} [source] " + BYTES + " policy:b64")
            .add(BulkCopy.CommitGroup.class, "cp.async.bulk.commit_group")
            .add(BulkCopy.WaitGroup.class, "cp.async.bulk.wait_group.{read:read|} pending:0..63")
            .add(
                    TensorMapUpdate.CopyRelease.class,
                    "tensormap.cp_fenceproxy.global." + OWN + ".tensormap::generic.release.{scope}.sync.aligned"
                            + " [destination] [source] =128")
            .add(TensorMapUpdate.Release.class, "fence.proxy.tensormap::generic.release.{scope}")
            .add(TensorMapUpdate.Acquire.class, "fence.proxy.tensormap::generic.acquire.{scope} [map] =128")
            // matrices
            .add(Wgmma.Fence.class, "wgmma.fence.sync.aligned")
            .add(Wgmma.CommitGroup.class, "wgmma.commit_group.sync.aligned")
            .add(Wgmma.WaitGroup.class, "wgmma.wait_group.sync.aligned pending:0..7")
            .add(
                    Matrix.Store.class,
                    "stmatrix.sync.aligned.m8n8.{values*x}.{transposed:trans|}.shared/shared::cta.b16"
                            + " [address%16] {values}")
            .add(
                    Matrix.Load.class,
                    "ldmatrix.sync.aligned.m8n8.{d*x}.{transposed:trans|}.shared/shared::cta.b16 {d} [address%16]")
            .add(
                    Matrix.StoreBytes.class,
                    "stmatrix.sync.aligned.m16n8.{values*x}.trans.shared/shared::cta.b8 [address%16] {values}")
            .add(
                    WarpMatrix.Multiply.class,
                    "mma.sync.aligned.{shape}.{columnsA:col|row}.{rowsB:row|col}.{saturate:satfinite|}"
                            + ".{typeD}.{typeA}.{typeB}.{typeC} {d:typeD} {a:typeA} {b:typeB} {c:typeC}")
            .add(
                    WarpMatrix.Load.class,
                    "wmma.load.{role}.sync.aligned.{columns:col|row}.{shape}.{@address}.{type}"
                            + " {d:type} [address] stride:u32")
            .add(
                    WarpMatrix.Store.class,
                    "wmma.store.d.sync.aligned.{columns:col|row}.{shape}.{@address}.{type}"
                            + " [address] {values:type} stride:u32")
            .add(WarpMatrix.Transpose.class, "movmatrix.sync.aligned.m8n8.trans.b16 d:b32 a:b32")
            // Blackwell
            .add(
                    Tcgen05.Allocate.class,
                    "tcgen05.alloc.{group}.sync.aligned.shared::cta/shared.b32 [destination%4] columns:u32")
            .add(Tcgen05.Deallocate.class, "tcgen05.dealloc.{group}.sync.aligned.b32 address columns:u32")
            .add(Tcgen05.RelinquishPermit.class, "tcgen05.relinquish_alloc_permit.{group}.sync.aligned")
            .add(
                    Tcgen05.Commit.class,
                    "tcgen05.commit.{group}.mbarrier::arrive::one.shared::cluster"
                            + ".{multicast?multicast::cluster}.b64 [barrier] multicast")
            .add(Tcgen05.Copy.class, "tcgen05.cp.{group}.{shape} [destination] source")
            .add(Tcgen05.WaitLoad.class, "tcgen05.wait::ld.sync.aligned")
            .add(Tcgen05.WaitStore.class, "tcgen05.wait::st.sync.aligned")
            .add(Tcgen05.Fence.class, "tcgen05.fence::{side}")
            .add(
                    ClusterLaunchControl.TryCancel.class,
                    "clusterlaunchcontrol.try_cancel.async." + OWN + "." + DONE
                            + ".{multicast:multicast::cluster::all|}.b128 [answer%16] [barrier]")
            .add(
                    ClusterLaunchControl.IsCanceled.class,
                    "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 d answer")
            .add(
                    ClusterLaunchControl.FirstCta.class,
                    "clusterlaunchcontrol.query_cancel.get_first_ctaid::{dimension}.b32.b128 d answer")
            // mnemonics that their families spell
            .addOperands(CarryArithmetic.Add.class, "d:type a:type b:type")
            .addOperands(Convert.ToGeneric.class, "d a:u64")
            .addOperands(Convert.FromGeneric.class, "d a:u64")
            .addOperands(Convert.IsInSpace.class, "d a:u64")
            .addOperands(AsyncCopy.Copy.class, "[destination] [source] bytes:4..16 sourceBytes:u32 policy:b64")
            .addOperands(Barrier.CtaBarrier.class, "id:u32 threads:u32")
            .addOperands(Barrier.RestrictedFence.class, "")
            .addOperands(WarpExchange.BarrierCount.class, "d:u32 id:u32 threads:u32 p!negated")
            .addOperands(WarpExchange.BarrierVote.class, "d id:u32 threads:u32 p!negated")
            .addOperands(Matrix.LoadBytes.class, "{d} [address%16]")
            .addOperands(WarpMatrix.MultiplyFragments.class, "{d:typeD} {a:typeA} {b:typeB} {c:typeC}");

    private Forms() {}

    private static final class Table {
        private final Map<Class<?>, Form> byRecord = new HashMap<>();
        private final Map<String, List<Form>> byOpcode = new HashMap<>();

        /** A record that its words tell from all others of the opcode. */
        private Table add(Class<? extends Instruction> record, String line) {
            addByRecord(record, line);
            Form form = byRecord.get(record);
            form.opcodes()
                    .forEach(opcode -> byOpcode.computeIfAbsent(opcode, _ -> new ArrayList<>())
                            .add(form));
            return this;
        }

        /** A record that the parser of its family chooses. */
        private Table addByRecord(Class<? extends Instruction> record, String line) {
            byRecord.put(record, new Form(record, line));
            return this;
        }

        /** A record whose mnemonic its family writes and reads. */
        private Table addOperands(Class<? extends Instruction> record, String operands) {
            return addByRecord(record, (" " + operands).stripTrailing());
        }
    }

    /** The line with all that it needs among the modifiers; of several that which needs most. */
    public static Optional<Form> of(String opcode, Predicate<String> modifiers) {
        return TABLE.byOpcode.getOrDefault(opcode, List.of()).stream()
                .filter(form -> form.complete(modifiers))
                .max(Comparator.comparingLong(form -> form.found(modifiers)));
    }

    /** The line that lacks something, but shares more with these modifiers than the others of the opcode do. */
    public static Optional<Form> nearest(String opcode, Predicate<String> modifiers) {
        return TABLE.byOpcode.getOrDefault(opcode, List.of()).stream()
                .max(Comparator.comparingLong(form -> form.found(modifiers)));
    }

    /** The line of a record. */
    public static Form of(Class<? extends Instruction> record) {
        return Objects.requireNonNull(TABLE.byRecord.get(record), () -> "no line for " + record.getSimpleName());
    }
}
