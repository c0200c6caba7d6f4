package dev.tilewright.emulator.program;

import dev.tilewright.ptx.Param;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The offsets of the parameters of an entry in the parameter space. */
public final class ParameterLayout {
    private final Map<String, Integer> offsets = new HashMap<>();
    private final List<Param> params;
    private final int bytes;

    ParameterLayout(List<Param> params) {
        this.params = new ArrayList<>(params);
        int next = 0;
        for (Param param : params) {
            int alignment = param.alignment();
            next = Math.ceilDiv(next, alignment) * alignment;
            offsets.put(param.name(), next);
            next += param.bytes();
        }
        bytes = next;
    }

    public List<Param> params() {
        return List.copyOf(params);
    }

    /** Offset of a parameter in bytes. */
    public int offset(String name) {
        Integer offset = offsets.get(name);
        if (offset == null) {
            throw new IllegalArgumentException("no parameter named " + name);
        }
        return offset;
    }

    public int bytes() {
        return bytes;
    }
}
