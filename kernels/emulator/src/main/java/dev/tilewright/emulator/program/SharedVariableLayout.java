package dev.tilewright.emulator.program;

import dev.tilewright.emulator.hazard.ShownName;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.Function;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.SharedDecl;
import dev.tilewright.ptx.SharedRegion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The offsets of the shared variables of an entry and of the functions of its module. Static variables come first. All
 * dynamic variables begin behind them, at the same offset.
 */
public final class SharedVariableLayout {
    private final Map<String, Integer> offsets = new HashMap<>();
    private final Map<String, Map<String, Integer>> ofFunctions = new HashMap<>();
    private final List<SharedRegion> regions;
    private final int dynamicStart;
    private final int staticEnd;

    SharedVariableLayout(PtxModule module, Entry entry) {
        NamedVariables named = new NamedVariables(module, entry);
        List<SharedDecl> all = new ArrayList<>(module.shared());
        all.removeIf(decl -> !named.has(decl.name()));
        all.addAll(entry.staticShared());
        int next = AddressSpace.SHARED_START;
        int alignment = 16;
        for (SharedDecl decl : all) {
            if (decl.isDynamic()) {
                alignment = Math.max(alignment, decl.alignment());
            } else {
                next = Math.ceilDiv(next, decl.alignment()) * decl.alignment();
                offsets.put(decl.name(), next);
                next += decl.bytes();
            }
        }
        for (Function function : module.functions()) {
            if (!named.calls(function)) {
                continue;
            }
            Map<String, Integer> own = new HashMap<>();
            for (SharedDecl decl : function.staticShared()) {
                next = Math.ceilDiv(next, decl.alignment()) * decl.alignment();
                own.put(decl.name(), next);
                next += decl.bytes();
            }
            ofFunctions.put(function.name(), own);
        }
        staticEnd = next;
        dynamicStart = Math.ceilDiv(next, alignment) * alignment;
        for (SharedDecl decl : all) {
            if (decl.isDynamic()) {
                offsets.put(decl.name(), dynamicStart);
            }
        }
        regions = entry.dynamicShared().regions();
    }

    private SharedVariableLayout(SharedVariableLayout all, Map<String, Integer> own) {
        offsets.putAll(all.offsets);
        offsets.putAll(own);
        regions = all.regions;
        dynamicStart = all.dynamicStart;
        staticEnd = all.staticEnd;
    }

    /** The layout that a function sees: its own variables hide variables of the module with the same name. */
    SharedVariableLayout within(String function) {
        return new SharedVariableLayout(this, ofFunctions.getOrDefault(function, Map.of()));
    }

    /** Bytes of the static variables. */
    public int staticBytes() {
        return staticEnd - AddressSpace.SHARED_START;
    }

    /** Offset of a variable in the CTA's shared memory. */
    public int offset(String symbol) {
        Integer offset = offsets.get(symbol);
        if (offset == null) {
            throw new IllegalArgumentException("no shared variable named " + symbol);
        }
        return offset;
    }

    public boolean has(String symbol) {
        return offsets.containsKey(symbol);
    }

    /** End of the shared memory of a launch. */
    public int end(int dynamicBytes) {
        return dynamicBytes == 0 ? staticEnd : dynamicStart + dynamicBytes;
    }

    /** Names the variable or barrier at an address, for messages. */
    public String name(int address) {
        int offset = address - dynamicStart;
        for (SharedRegion region : regions) {
            if (offset >= region.offset() && offset < region.end()) {
                int within = offset - region.offset();
                return region.name()
                        + (region.kind() == SharedRegion.Kind.BARRIERS
                                ? "[" + within / SharedRegion.BARRIER_BYTES + "]"
                                : "+" + within);
            }
        }
        // Not declared as a region: the variable in or behind which it lies.
        return offsets.entrySet().stream()
                .filter(variable -> variable.getValue() <= address)
                .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(variable -> ShownName.of(variable.getKey()) + "+" + (address - variable.getValue()))
                .orElse("shared 0x" + Integer.toHexString(address));
    }
}
