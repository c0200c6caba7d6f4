package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.form.Form;
import dev.tilewright.ptx.form.Forms;
import dev.tilewright.ptx.instruction.Instruction;
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

    /** The instruction, without its semicolon. */
    static Instruction read(Line in) {
        Optional<Form> form = Forms.of(in.opcode(), in::sees);
        Reader reader = READERS.get(in.opcode());
        if (form.isEmpty() && reader == null) {
            form = Forms.of(in.opcode());
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
                new String[] {"add", "sub", "div", "rem", "min", "max", "and", "or", "xor", "shl", "shr"}) {
            all.put(opcode, ArithmeticParser::binary);
        }
        for (String opcode : new String[] {
            "tanh", "neg", "abs", "not", "cnot", "popc", "clz", "brev", "sqrt", "rsqrt", "rcp", "lg2", "ex2", "sin",
            "cos"
        }) {
            all.put(opcode, ArithmeticParser::unary);
        }
        all.put("mul", ArithmeticParser::multiply);
        all.put("mad", ArithmeticParser::multiplyAdd);
        all.put("fma", ArithmeticParser::fma);
        all.put("addc", ArithmeticParser::carried);
        all.put("subc", ArithmeticParser::carried);
        all.put("madc", ArithmeticParser::multiplyAdd);
        all.put("set", CompareParser::setValue);
        all.put("isspacep", ConvertParser::isInSpace);
        all.put("prefetchu", MemoryParser::prefetch);
        all.put("call", CallParser::call);
        all.put("brx", CallParser::branchIndexed);
        all.put("match", ExchangeParser::match);
        all.put("redux", ExchangeParser::reduce);
        all.put("getctarank", MbarrierParser::rankOf);
        all.put("mma", WarpMatrixParser::multiply);
        all.put("setp", CompareParser::setPredicate);
        all.put("cvt", ConvertParser::convert);
        all.put("cvta", ConvertParser::address);
        all.put("mov", MoveParser::move);
        all.put("ld", MemoryParser::load);
        all.put("st", MemoryParser::store);
        all.put("atom", AtomicParser::atomic);
        all.put("red", AtomicParser::atomic);
        all.put("prefetch", MemoryParser::prefetch);
        all.put("bra", ControlParser::branch);
        all.put("ret", ControlParser::end);
        all.put("exit", ControlParser::end);
        all.put("trap", ControlParser::end);
        all.put("bar", BarrierParser::barrier);
        all.put("barrier", BarrierParser::barrier);
        all.put("fence", BarrierParser::fence);
        all.put("membar", BarrierParser::membar);
        all.put("elect", BarrierParser::elect);
        all.put("shfl", BarrierParser::shuffle);
        all.put("vote", BarrierParser::vote);
        all.put("mbarrier", MbarrierParser::mbarrier);
        all.put("mapa", MbarrierParser::mapToRank);
        all.put("cp", BulkCopyParser::copy);
        all.put("createpolicy", CachePolicyParser::createPolicy);
        all.put("applypriority", CachePolicyParser::resetPriority);
        all.put("discard", CachePolicyParser::discard);
        all.put("tensormap", TensorMapParser::tensorMap);
        all.put("wmma", WarpMatrixParser::fragments);
        all.put("wgmma", WgmmaParser::wgmma);
        all.put("tcgen05", Tcgen05Parser::tensor);
        all.put("clusterlaunchcontrol", ClusterLaunchParser::clusterLaunch);
        all.put("stmatrix", MatrixParser::store);
        all.put("ldmatrix", MatrixParser::load);
        return Map.copyOf(all);
    }
}
