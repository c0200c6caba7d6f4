package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.InstructionText.line;
import static dev.tilewright.ptx.text.InstructionText.scalarOrVector;
import static dev.tilewright.ptx.text.InstructionText.size;
import static dev.tilewright.ptx.text.OperandText.address;
import static dev.tilewright.ptx.text.OperandText.last;
import static dev.tilewright.ptx.text.OperandText.operand;

import dev.tilewright.ptx.instruction.AtomicAccess;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.MemoryAccess;
import dev.tilewright.ptx.instruction.Synchronisation;

/** Atomics of all families, and {@link Synchronisation}, as text. */
final class SynchronisationText {
    private SynchronisationText() {}

    static String of(Synchronisation instruction) {
        return switch (instruction) {
            case Synchronisation.HintedAtomic i -> atomic(i.access(), ".L2::cache_hint") + ", " + operand(i.policy());
            case Synchronisation.Exchange128 i -> atomic(i, "");
            case Synchronisation.ReduceAsync i ->
                line(
                        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes."
                                + i.operation().ptx() + "." + i.type().ptx(),
                        address(i.address()),
                        operand(i.b()),
                        address(i.barrier()));
            case Synchronisation.RestrictedFence i ->
                "fence" + (i.async() ? ".proxy.async::generic" : "") + i.sem().ptx() + ".sync_restrict:"
                        + i.space().ptx().replace('.', ':') + i.scope().ptx();
        };
    }

    /** An atomic with what stands before its type. */
    static String atomic(AtomicAccess instruction, String hint) {
        return switch (instruction) {
            case Memory.Atomic i ->
                line(
                                "atom" + i.ordering().ptx()
                                        + i.address().space().ptx() + "."
                                        + i.operation().ptx() + hint + "."
                                        + i.type().ptx(),
                                operand(i.d()),
                                address(i.address()),
                                operand(i.b()))
                        + last(i.c());
            case Memory.Reduce i ->
                line(
                        "red" + i.ordering().ptx() + i.address().space().ptx() + "."
                                + i.operation().ptx() + hint + "." + i.type().ptx(),
                        address(i.address()),
                        operand(i.b()));
            case MemoryAccess.Atomic i -> {
                String mnemonic = (i.d().isEmpty() ? "red" : "atom")
                        + i.ordering().ptx()
                        + i.address().space().ptx() + "." + i.operation().ptx() + (i.noFlush() ? ".noftz" : "") + hint
                        + size(i.b().size()) + "." + i.type().ptx();
                yield mnemonic + " " + (i.d().isEmpty() ? "" : scalarOrVector(i.d()) + ", ") + address(i.address())
                        + ", " + scalarOrVector(i.b()) + last(i.c());
            }
            case Synchronisation.Exchange128 i ->
                line(
                                "atom" + i.ordering().ptx()
                                        + i.address().space().ptx() + (i.c().isPresent() ? ".cas" : ".exch") + hint
                                        + ".b128",
                                operand(i.d()),
                                address(i.address()),
                                operand(i.b()))
                        + last(i.c());
        };
    }
}
