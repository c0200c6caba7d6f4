package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.form.Form;
import dev.tilewright.ptx.form.Forms;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Memory;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Maps each opcode to the parser of its family. */
final class InstructionParser {
    /** Reads one form of instruction. */
    @FunctionalInterface
    interface Reader {
        Instruction read(Line in);
    }

    private static final Map<String, Reader> READERS = readers();

    private InstructionParser() {}

    /** The instruction, without its semicolon: by the table if it has all that a line needs. */
    static Instruction read(Line in) {
        Optional<Form> form = Forms.of(in.opcode(), in::sees);
        Reader reader = READERS.get(in.opcode());
        if (form.isEmpty() && reader == null) {
            form = Forms.nearest(in.opcode(), in::sees);
        }
        if (form.isEmpty() && reader == null) {
            throw Opcodes.unread(in.opcode())
                    ? in.unsupported("the instruction is not supported")
                    : in.refuse("no instruction of PTX");
        }
        Instruction instruction = form.isPresent() ? FormParser.read(in, form.get()) : reader.read(in);
        in.requireNoModifier();
        return instruction;
    }

    private static Map<String, Reader> readers() {
        Map<String, Reader> all = new HashMap<>();
        for (String opcode :
                new String[] {"add", "sub", "mul", "div", "rem", "min", "max", "and", "or", "xor", "shl", "shr"}) {
            all.put(opcode, ArithmeticParser::binary);
        }
        for (String opcode : new String[] {
            "tanh", "neg", "abs", "not", "cnot", "popc", "clz", "brev", "sqrt", "rsqrt", "rcp", "lg2", "ex2", "sin",
            "cos"
        }) {
            all.put(opcode, ArithmeticParser::unary);
        }
        all.put("mad", ArithmeticParser::multiplyAdd);
        all.put("madc", ArithmeticParser::multiplyAdd);
        all.put("addc", ArithmeticParser::carried);
        all.put("subc", ArithmeticParser::carried);
        all.put("set", CompareParser::setValue);
        all.put("setp", CompareParser::setPredicate);
        all.put("cvt", ConvertParser::convert);
        all.put("cvta", ConvertParser::address);
        all.put("isspacep", ConvertParser::isInSpace);
        all.put("mov", MoveParser::move);
        all.put("ld", MemoryParser::load);
        all.put("st", MemoryParser::store);
        all.put("prefetchu", in -> FormParser.read(in, Memory.Prefetch.class));
        all.put("cp", AsyncCopyParser::copy);
        all.put("tensormap", TensorMapParser::replace);
        all.put("call", CallParser::call);
        all.put("brx", CallParser::branchIndexed);
        all.put("bar", BarrierParser::barrier);
        all.put("barrier", BarrierParser::barrier);
        all.put("fence", BarrierParser::fence);
        all.put("membar", BarrierParser::membar);
        all.put("redux", BarrierParser::redux);
        all.put("mbarrier", MbarrierParser::await);
        all.put("mapa", MbarrierParser::mapToRank);
        all.put("getctarank", MbarrierParser::rankOf);
        all.put("wmma", WarpMatrixParser::multiply);
        all.put("wgmma", WgmmaParser::wgmma);
        all.put("ldmatrix", MatrixParser::loadBytes);
        all.put("tcgen05", Tcgen05Parser::tensor);
        all.put("clusterlaunchcontrol", MatrixParser::clusterLaunch);
        return Map.copyOf(all);
    }
}
