package dev.tilewright.worker.agent.compile;

import dev.tilewright.worker.link.Cubin;
import java.util.List;

/**
 * An assembled kernel.
 *
 * @param registers registers a thread; the largest of the module's entries
 * @param spillBytes spill stores and spill loads of all entries together, in bytes
 * @param staticSharedBytes shared memory that the module declares itself, beside the dynamic one of the launch
 * @param alarms warnings C75xx: the assembler has serialized what was meant to be asynchronous
 * @param log all the assembler said
 */
public record Assembly(
        Cubin cubin,
        String cubinHash,
        int registers,
        int spillBytes,
        int staticSharedBytes,
        List<String> alarms,
        String log) {

    public Assembly {
        alarms = List.copyOf(alarms);
    }

    /** Of a cubin that somebody brings: no assembler here has said anything of it. */
    public static Assembly brought(byte[] cubin) {
        return new Assembly(new Cubin(cubin), PtxasLog.sha256(cubin), 0, 0, 0, List.of(), "");
    }
}
