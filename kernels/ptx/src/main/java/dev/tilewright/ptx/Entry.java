package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Statement;
import java.util.List;

/**
 * A kernel.
 *
 * @param linkage visibility; a driver finds visible and weak kernels only
 * @param staticShared shared variables of its own
 * @param dynamicShared regions of the dynamic shared memory; a launch must ask for their size
 * @param locals each thread's own variables
 * @param roles which warps execute which statements
 */
public record Entry(
        String name,
        Linkage linkage,
        List<Param> params,
        LaunchBounds launch,
        List<SharedDecl> staticShared,
        SharedLayout dynamicShared,
        List<Variable> locals,
        List<RegisterDecl> registers,
        List<WarpRole> roles,
        List<Statement> body) {
    public Entry {
        if (linkage == Linkage.EXTERN || linkage == Linkage.COMMON) {
            throw new IllegalArgumentException(
                    "entry " + name + ": linkage must be visible, weak or local, got " + linkage);
        }
        params = List.copyOf(params);
        staticShared = List.copyOf(staticShared);
        locals = List.copyOf(locals);
        registers = List.copyOf(registers);
        roles = List.copyOf(roles);
        body = List.copyOf(body);
    }

    /** The same kernel of other statements. */
    public Entry withBody(List<Statement> statements) {
        return new Entry(
                name, linkage, params, launch, staticShared, dynamicShared, locals, registers, roles, statements);
    }

    /** Static and dynamic shared memory together, bytes. */
    public long sharedBytes() {
        long bytes = dynamicShared.bytes();
        for (SharedDecl decl : staticShared) {
            bytes = Math.ceilDiv(bytes, decl.alignment()) * (long) decl.alignment() + decl.bytes();
        }
        return bytes;
    }
}
