package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.FunctionCall.Declare;
import dev.tilewright.ptx.instruction.Statement;
import java.util.List;

/**
 * A function that kernels call.
 *
 * @param linkage visibility to other modules
 * @param external it has no body here; the driver or another module has it
 * @param noReturn it promises not to come back
 * @param results at most one parameter variable
 */
public record Function(
        String name,
        Linkage linkage,
        boolean external,
        boolean noReturn,
        List<Declare> results,
        List<Declare> params,
        List<SharedDecl> staticShared,
        List<Variable> locals,
        List<RegisterDecl> registers,
        List<Statement> body) {
    public Function {
        results = List.copyOf(results);
        params = List.copyOf(params);
        staticShared = List.copyOf(staticShared);
        locals = List.copyOf(locals);
        registers = List.copyOf(registers);
        body = List.copyOf(body);
        if (results.size() > 1) {
            throw new IllegalArgumentException("function " + name + ": at most one result, got " + results.size());
        }
    }
}
