package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.operand;
import static dev.tilewright.ptx.text.OperandText.tensor;
import static dev.tilewright.ptx.text.OperandText.vector;

import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Tcgen05.MatrixA;
import dev.tilewright.ptx.instruction.Tcgen05.Shape;
import dev.tilewright.ptx.type.StateSpace;

/** The instructions that are new with Blackwell, as text. */
final class BlackwellText {
    private BlackwellText() {}

    static String tcgen05(Tcgen05 instruction) {
        return switch (instruction) {
            case Tcgen05.Allocate i ->
                line(
                        "tcgen05.alloc." + i.group().ptx() + ".sync.aligned" + StateSpace.SHARED.ptx() + ".b32",
                        i.destination(),
                        i.columns());
            case Tcgen05.Deallocate _, Tcgen05.RelinquishPermit _, Tcgen05.WaitLoad _, Tcgen05.WaitStore _ ->
                FormText.of(instruction);
            case Tcgen05.Multiply i -> {
                String a = switch (i.a()) {
                    case MatrixA.Descriptor s -> operand(s.descriptor());
                    case MatrixA.Tensor t -> tensor(t.address());
                };
                String lanes = i.disabledLanes().isEmpty() ? "" : ", " + vector(i.disabledLanes());
                yield line(
                        "tcgen05.mma." + i.group().ptx() + ".kind::" + i.kind().ptx(),
                        tensor(i.d()),
                        a,
                        i.b(),
                        operand(i.descriptor()) + lanes,
                        i.accumulate());
            }
            case Tcgen05.Commit i ->
                line(
                        "tcgen05.commit." + i.group().ptx() + ".mbarrier::arrive::one.shared::cluster"
                                + (i.multicast().isPresent() ? ".multicast::cluster" : "") + ".b64",
                        i.barrier(),
                        i.multicast());
            case Tcgen05.Load i ->
                line(
                                "tcgen05.ld.sync.aligned." + i.shape().ptx() + ".x" + i.repetitions()
                                        + (i.pack() ? ".pack::16b" : "") + ".b32",
                                vector(i.d()),
                                tensor(i.address()))
                        + (i.shape() == Shape.L16_B32_TWICE ? ", " + i.split() : "");
            case Tcgen05.Store i ->
                line(
                        "tcgen05.st.sync.aligned." + i.shape().ptx() + ".x" + i.repetitions()
                                + (i.unpack() ? ".unpack::16b" : "") + ".b32",
                        tensor(i.address()) + (i.shape() == Shape.L16_B32_TWICE ? ", " + i.split() : ""),
                        vector(i.values()));
            case Tcgen05.Copy i ->
                line("tcgen05.cp." + i.group().ptx() + "." + i.shape().ptx(), tensor(i.destination()), i.source());
            case Tcgen05.Fence i -> "tcgen05.fence::" + i.side().ptx();
        };
    }

    static String clusterLaunch(ClusterLaunchControl instruction) {
        return switch (instruction) {
            case ClusterLaunchControl.TryCancel i ->
                line(
                        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
                                + (i.multicast() ? ".multicast::cluster::all" : "") + ".b128",
                        i.answer(),
                        i.barrier());
            case ClusterLaunchControl.IsCanceled i -> FormText.of(i);
            case ClusterLaunchControl.FirstCta i ->
                line(
                        "clusterlaunchcontrol.query_cancel.get_first_ctaid::"
                                + i.dimension().ptx() + ".b32.b128",
                        i.d(),
                        i.answer());
            case ClusterLaunchControl.FirstCtaVector i ->
                "clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {" + operand(i.x()) + ", "
                        + operand(i.y()) + ", " + operand(i.z()) + ", _}, " + operand(i.answer());
        };
    }
}
