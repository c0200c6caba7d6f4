package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.scalarOrVector;
import static dev.tilewright.ptx.text.OperandText.size;

import dev.tilewright.ptx.instruction.AsyncCopy;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Memory.CacheHints;
import dev.tilewright.ptx.instruction.TensorMapUpdate;
import java.util.Optional;
import java.util.stream.Collectors;

/** Loads, stores and copies of single threads, and changes of tensor maps, as text. */
final class MemoryText {
    private MemoryText() {}

    static String load(Memory.Load i) {
        return line(
                "ld" + i.ordering().ptx() + i.address().space().ptx()
                        + i.cache().ptx() + hints(i.hints()) + size(i.d().size()) + "."
                        + i.type().ptx(),
                scalarOrVector(i.d()),
                i.address(),
                i.hints().policy());
    }

    static String store(Memory.Store i) {
        return line(
                "st" + i.ordering().ptx() + i.address().space().ptx()
                        + i.cache().ptx() + hints(i.hints())
                        + size(i.values().size()) + "."
                        + i.type().ptx(),
                i.address(),
                scalarOrVector(i.values()),
                i.hints().policy());
    }

    static String copy(AsyncCopy.Copy i) {
        return "cp.async." + (i.aroundL1() ? "cg" : "ca")
                + i.destination().space().ptx() + ".global"
                + hint(i.policy())
                + i.hints().stream().map(h -> "." + h).collect(Collectors.joining())
                + FormText.of(i);
    }

    static String replace(TensorMapUpdate.Replace i) {
        return line(
                "tensormap.replace.tile." + i.field().ptx() + i.map().space().ptx() + ".b1024."
                        + i.field().type().ptx(),
                i.map(),
                i.dimension().map(String::valueOf),
                i.value());
    }

    private static String hint(Optional<?> policy) {
        return policy.isPresent() ? ".L2::cache_hint" : "";
    }

    /** Priorities, then the mark of a policy, then how much to fetch. */
    private static String hints(CacheHints hints) {
        StringBuilder text = new StringBuilder();
        hints.priorities().stream()
                .filter(h -> !h.endsWith("B"))
                .forEach(h -> text.append('.').append(h));
        text.append(hint(hints.policy()));
        hints.priorities().stream()
                .filter(h -> h.endsWith("B"))
                .forEach(h -> text.append('.').append(h));
        return text.toString();
    }
}
