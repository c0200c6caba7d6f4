package dev.tilewright.ptx.form;

import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BitField;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Tcgen05;
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

/** The table of instructions that one line spells. */
public final class Forms {
    private static final Map<Class<?>, Form> TABLE = new Table()
            .add(Arithmetic.Lop3.class, "lop3.b32 d a:b32 b:b32 c:b32 table:0x0..0xff")
            .add(Arithmetic.BitFieldExtract.class, "bfe.{type} d a:type position:b32 length:b32")
            .add(BitField.Insert.class, "bfi.{type} d a:type b:type position:b32 length:b32")
            .add(BitField.FunnelShift.class, "shf.{left:l|r}.{wrap:wrap|clamp}.b32 d a:b32 b:b32 count:b32")
            .add(BitField.FindHighest.class, "bfind.{shift:shiftamt|}.{type} d a:type")
            .add(BitField.Mask.class, "bmsk.{wrap:wrap|clamp}.b32 d position:b32 length:b32")
            .add(BitField.Permute.class, "prmt.b32.{mode} d a:b32 b:b32 selector:b32")
            .add(BitField.AbsoluteDifference.class, "sad.{type} d a:type b:type c:type")
            .add(BitField.PairBinary.class, "{operation}.{relu:relu|}.{signed:s16x2|u16x2} d a:b32 b:b32")
            .add(BitField.DotProduct.class, "dp4a.{typeA}.{typeB} d a:b32 b:b32 c:b32")
            .add(FloatMath.CopySign.class, "copysign.{type} d a:type b:type")
            .add(FloatMath.Test.class, "testp.{property}.{type} d a:type")
            .add(Compare.PredicateBinary.class, "{operation}.pred d a b")
            .add(Compare.PredicateNot.class, "not.pred d a")
            .add(Compare.Select.class, "selp.{type} d a:type b:type p")
            .add(Compare.SelectBySign.class, "slct.{flushToZero:ftz|}.{type}.{of} d a:type b:type c:of")
            .add(Barrier.SetMaxRegisters.class, "setmaxnreg.{increase:inc|dec}.sync.aligned.u32 count:0..256")
            .add(Barrier.GridDependency.class, "griddepcontrol.{action}")
            .add(Barrier.Nanosleep.class, "nanosleep.u32 nanoseconds:b32")
            .add(Mbarrier.PendingCount.class, "mbarrier.pending_count.b64 d state:b64")
            .add(AsyncCopy.CommitGroup.class, "cp.async.commit_group")
            .add(AsyncCopy.WaitGroup.class, "cp.async.wait_group pending:0..255")
            .add(AsyncCopy.WaitAll.class, "cp.async.wait_all")
            .add(BulkCopy.CommitGroup.class, "cp.async.bulk.commit_group")
            .add(BulkCopy.WaitGroup.class, "cp.async.bulk.wait_group.{read:read|} pending:0..63")
            .add(Wgmma.Fence.class, "wgmma.fence.sync.aligned")
            .add(Wgmma.CommitGroup.class, "wgmma.commit_group.sync.aligned")
            .add(Wgmma.WaitGroup.class, "wgmma.wait_group.sync.aligned pending:0..7")
            .add(Tcgen05.Deallocate.class, "tcgen05.dealloc.{group}.sync.aligned.b32 address columns:b32")
            .add(Tcgen05.RelinquishPermit.class, "tcgen05.relinquish_alloc_permit.{group}.sync.aligned")
            .add(Tcgen05.WaitLoad.class, "tcgen05.wait::ld.sync.aligned")
            .add(Tcgen05.WaitStore.class, "tcgen05.wait::st.sync.aligned")
            .add(
                    ClusterLaunchControl.IsCanceled.class,
                    "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 d answer")
            .add(WarpExchange.MatchAny.class, "match.any.sync.{type} d a:type mask:hex")
            .add(WarpExchange.ActiveMask.class, "activemask.b32 d")
            .add(WarpMatrix.Transpose.class, "movmatrix.sync.aligned.m8n8.trans.b16 d a")
            .add(Tooling.Breakpoint.class, "brkpt")
            .add(Tooling.PerformanceEvent.class, "pmevent event:0..15")
            .forms();

    private static final Map<String, List<Form>> BY_OPCODE = byOpcode();

    private Forms() {}

    /** Lines without a word, whose opcode others have too, are found by their record alone. */
    private static Map<String, List<Form>> byOpcode() {
        Map<String, List<Form>> all = new HashMap<>();
        for (Form form : TABLE.values()) {
            if (form.opcodes().size() == 1 || !form.words().isEmpty()) {
                form.opcodes()
                        .forEach(opcode -> all.computeIfAbsent(opcode, _ -> new ArrayList<>())
                                .add(form));
            }
        }
        return all;
    }

    private static final class Table {
        private final Map<Class<?>, Form> forms = new HashMap<>();

        private Table add(Class<? extends Instruction> record, String line) {
            forms.put(record, new Form(record, line));
            return this;
        }

        private Map<Class<?>, Form> forms() {
            return Map.copyOf(forms);
        }
    }

    /** The line of a mnemonic, that with the most words of those whose words are all there. */
    public static Optional<Form> of(String opcode, Predicate<String> modifiers) {
        return BY_OPCODE.getOrDefault(opcode, List.of()).stream()
                .filter(form -> form.words().stream().allMatch(modifiers))
                .max(Comparator.comparingInt(form -> form.words().size()));
    }

    /** The first line of an opcode. */
    public static Optional<Form> of(String opcode) {
        return BY_OPCODE.getOrDefault(opcode, List.of()).stream().findFirst();
    }

    /** The line of a record. */
    public static Form of(Class<? extends Instruction> record) {
        return Objects.requireNonNull(TABLE.get(record), () -> "no line for " + record.getSimpleName());
    }
}
