package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.scalarOrVector;
import static dev.tilewright.ptx.text.OperandText.size;

import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Memory.CacheHints;

/** Loads, stores and atomics as text. */
final class MemoryText {
    private MemoryText() {}

    static String of(Memory instruction) {
        return switch (instruction) {
            case Memory.Load i ->
                line(
                        "ld" + i.ordering().ptx() + i.address().space().ptx()
                                + i.cache().ptx() + hints(i.hints()) + size(i.d().size()) + "."
                                + i.type().ptx(),
                        scalarOrVector(i.d()),
                        i.address(),
                        i.hints().policy());
            case Memory.Store i ->
                line(
                        "st" + i.ordering().ptx() + i.address().space().ptx()
                                + i.cache().ptx() + hints(i.hints())
                                + size(i.values().size()) + "."
                                + i.type().ptx(),
                        i.address(),
                        scalarOrVector(i.values()),
                        i.hints().policy());
            case Memory.Atomic i ->
                line(
                        "atom" + i.ordering().ptx()
                                + i.address().space().ptx() + "."
                                + i.operation().ptx() + (i.noFlush() ? ".noftz" : "")
                                + CopyText.hint(i.policy()) + size(i.b().size()) + "."
                                + i.type().ptx(),
                        scalarOrVector(i.d()),
                        i.address(),
                        scalarOrVector(i.b()),
                        i.c(),
                        i.policy());
            case Memory.Reduce i ->
                line(
                        "red" + i.ordering().ptx() + i.address().space().ptx() + "."
                                + i.operation().ptx() + (i.noFlush() ? ".noftz" : "")
                                + CopyText.hint(i.policy()) + size(i.b().size()) + "."
                                + i.type().ptx(),
                        i.address(),
                        scalarOrVector(i.b()),
                        i.policy());
            case Memory.StoreAsync i ->
                line(
                        "st.async.shared::cluster.mbarrier::complete_tx::bytes"
                                + size(i.values().size()) + "." + i.type().ptx(),
                        i.address(),
                        scalarOrVector(i.values()),
                        i.barrier());
            case Memory.Prefetch i -> line("prefetch" + i.address().space().ptx() + "." + i.level(), i.address());
            case Memory.PrefetchTensorMap i -> line("prefetch.tensormap", i.map());
        };
    }

    /** Priorities, then the mark of a policy, then how much to fetch. */
    private static String hints(CacheHints hints) {
        StringBuilder text = new StringBuilder();
        hints.priorities().stream()
                .filter(h -> !h.endsWith("B"))
                .forEach(h -> text.append('.').append(h));
        text.append(hints.policy().isPresent() ? ".L2::cache_hint" : "");
        hints.priorities().stream()
                .filter(h -> h.endsWith("B"))
                .forEach(h -> text.append('.').append(h));
        return text.toString();
    }
}
