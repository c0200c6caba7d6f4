package dev.tilewright.emulator.execute;

import static dev.tilewright.emulator.execute.Lanes.extend;

import dev.tilewright.emulator.machine.Operation;
import dev.tilewright.emulator.machine.Operation.Outcome;
import dev.tilewright.emulator.memory.LocalMemory;
import dev.tilewright.emulator.program.DestinationOperand;
import dev.tilewright.emulator.program.NotEmulatedException;
import dev.tilewright.emulator.program.Operands;
import dev.tilewright.emulator.program.SourceOperand;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.type.ScalarType;
import java.util.List;

/**
 * Arguments and results of calls, which lie in the thread's local memory, and calls of the driver's functions. Calls of
 * functions with a body are unfolded before, and jumps are followed by the machine itself. PTX 9.7.12, 7.1.
 */
public final class CallOperations {
    private CallOperations() {}

    public static Operation decode(FunctionCall instruction, Operands operands) {
        return switch (instruction) {
            case FunctionCall.Declare _, FunctionCall.BranchTable _, FunctionCall.BranchIndexed _ ->
                (strand, mask) -> Outcome.NEXT;
            case FunctionCall.StoreParam i -> store(i, operands);
            case FunctionCall.LoadParam i -> load(i, operands);
            case FunctionCall.Call i -> call(i, operands);
        };
    }

    private static Operation store(FunctionCall.StoreParam i, Operands operands) {
        long offset = (long) operands.local(i.name()) + i.offset();
        List<SourceOperand> values =
                i.values().stream().<SourceOperand>map(operands::value).toList();
        int bytes = bytes(i.type());
        return Lanes.each((warp, lane) -> {
            for (int part = 0; part < values.size(); part++) {
                long value = values.get(part).get(warp, lane);
                warp.local().write(lane, offset + (long) part * bytes, bytes, value);
            }
        });
    }

    private static Operation load(FunctionCall.LoadParam i, Operands operands) {
        long offset = (long) operands.local(i.name()) + i.offset();
        List<DestinationOperand> d =
                i.d().stream().<DestinationOperand>map(operands::target).toList();
        ScalarType type = i.type();
        int bytes = bytes(type);
        return Lanes.access((strand, lane) -> {
            LocalMemory local = strand.warp().local();
            for (int part = 0; part < d.size(); part++) {
                long value = local.read(lane, offset + (long) part * bytes, bytes);
                d.get(part).set(strand.warp(), lane, extend(type, value));
            }
        });
    }

    private static int bytes(ScalarType type) {
        if (type == ScalarType.B128) {
            throw new NotEmulatedException("arguments of 128 bits");
        }
        return type.bytes();
    }

    private static Operation call(FunctionCall.Call i, Operands operands) {
        long[] arguments = i.arguments().stream().mapToLong(operands::local).toArray();
        return switch (i.function()) {
            case "__assertfail" -> DriverFunctions.assertFail(arguments);
            case "vprintf" -> DriverFunctions.print(arguments);
            default -> throw new NotEmulatedException("call of " + i.function() + ", which has no body here");
        };
    }
}
