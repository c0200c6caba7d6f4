package dev.tilewright.emulator.program;

import dev.tilewright.emulator.Launch;
import dev.tilewright.emulator.UnsupportedKernelException;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.machine.Footprint;
import dev.tilewright.emulator.order.Manner;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.Variable;
import dev.tilewright.ptx.instruction.FunctionCall;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.parse.Position;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An entry ready to run; immutable, shared by all warps and runs. */
public final class Program implements ProgramText {
    private final PtxModule module;
    private final List<Position> positions;
    private final Entry entry;
    private final RegisterMap registers = new RegisterMap();
    private final SharedPlacement shared;
    private final ParameterPlacement parameters;
    private final VariablePlacement variables;
    private final int localEnd;
    private final BitSet loopWaits = new BitSet();
    private final Instr[] code;
    private @Nullable Listing listing;
    private @Nullable Arrivals arrivals;

    /**
     * Decodes an entry.
     *
     * @throws UnsupportedKernelException naming all instructions that the machine does not know
     */
    public Program(PtxModule module, String name, InstructionSet instructions) {
        this(module, name, List.of(), instructions);
    }

    /**
     * Decodes an entry of a text.
     *
     * @param positions of the statements in the text; empty for that of the writer
     * @throws UnsupportedKernelException naming all instructions that the machine does not know
     */
    public Program(PtxModule module, String name, List<Position> positions, InstructionSet instructions) {
        this.module = module;
        this.positions = List.copyOf(positions);
        entry = module.entry(name);
        shared = new SharedPlacement(module, entry);
        parameters = new ParameterPlacement(entry.params());
        variables = new VariablePlacement(module);
        Unfolding unfolding = new Unfolding(module, entry, registers);
        localEnd = unfolding.localEnd();
        List<String> unsupported = new ArrayList<>(unfolding.refused());
        unsupported.addAll(unknownSymbols());
        code = decode(unfolding.lines(), instructions, unsupported);
        if (!unsupported.isEmpty()) {
            throw new UnsupportedKernelException(entry.name(), unsupported);
        }
    }

    private List<String> unknownSymbols() {
        List<String> unknown = new ArrayList<>();
        for (Variable variable : module.variables()) {
            variable.relocations().stream()
                    .filter(relocation -> !variables.has(relocation.symbol()))
                    .forEach(relocation -> unknown.add("variable " + variable.name() + " holds the address of "
                            + relocation.symbol() + ", which is no variable in global or constant memory"));
        }
        return unknown;
    }

    private Instr[] decode(List<Unfolding.Line> lines, InstructionSet instructions, List<String> unsupported) {
        int n = lines.size();
        int[][] targets = new int[n][];
        boolean[] conditional = new boolean[n];
        boolean[] exits = new boolean[n];
        boolean[] convergent = new boolean[n];
        for (int i = 0; i < n; i++) {
            Unfolding.Line line = lines.get(i);
            targets[i] = line.targets();
            conditional[i] = line.guard() != null;
            exits[i] = line.exits();
            convergent[i] = Convergence.needed(line.instruction());
        }
        ControlFlow flow = new ControlFlow(targets, conditional, exits, convergent);
        loopWaits.or(Loops.waits(lines, flow));
        RegisterUse use = new RegisterUse(lines);
        Map<Frame, Operands> frames = new HashMap<>();
        Instr[] result = new Instr[n];
        for (int i = 0; i < n; i++) {
            Unfolding.Line line = lines.get(i);
            Operands operands = frames.computeIfAbsent(line.frame(), frame -> new Operands(this, frame));
            Operation operation;
            try {
                operation = instructions.operation(line.instruction(), operands, line.called() != null);
            } catch (NotEmulatedException e) {
                unsupported.add(at(line) + " (" + e.getMessage() + ")");
                continue;
            }
            Statement.Guarded guard = line.guard();
            Instr.Jump jump = line.instruction() instanceof FunctionCall.BranchIndexed indexed
                    ? new Instr.Jump(operands.value(indexed.index()), targets[i])
                    : null;
            boolean branches = targets[i].length > 0;
            result[i] = new Instr(
                    i,
                    line,
                    operation,
                    guard == null ? Instr.NONE : operands.predicate(guard.predicate()),
                    // A call goes around its function for those lanes that do not call.
                    guard != null && guard.negated() != (line.called() != null),
                    branches && jump == null ? targets[i][0] : Instr.NONE,
                    jump,
                    branches || exits[i] ? flow.join(i) : Instr.NONE,
                    flow.split(i),
                    use.reads(line),
                    use.writes(line),
                    use.touches(line));
        }
        return result;
    }

    private String at(Unfolding.Line line) {
        String function = line.frame().name();
        return "line " + line(function, line.statement(), line.entryStatement()) + " '"
                + listing().text(function, line.statement()) + "'";
    }

    /** The line of an instruction; of the call, where a function's own lines in the text are not known. */
    public int line(Instr instr) {
        return line(instr.function, instr.statement, instr.entryStatement);
    }

    private int line(String function, int statement, int entryStatement) {
        return positions.isEmpty()
                ? listing().line(function, statement)
                : listing().line(entryStatement);
    }

    /** The text of an instruction. */
    public String text(Instr instr) {
        return listing().text(instr.function, instr.statement);
    }

    @Override
    public Site site(int pc, int cta, int rank, int warp, int lane) {
        Instr instr = code[pc];
        return new Site(entry.name(), instr.entryStatement, line(instr), text(instr), cta, rank, warp, lane);
    }

    @Override
    public String quote(int pc) {
        return "line " + line(code[pc]) + " '" + text(code[pc]) + "'";
    }

    @Override
    public Manner manner(int pc) {
        return code[pc].manner;
    }

    /** What each CTA of a launch takes. */
    public Footprint footprint(Launch launch) {
        return new Footprint(
                launch.block().count(),
                entry.launch().registerCap(module.target().registersPerSm()),
                registers,
                localEnd,
                shared.end(launch.dynamicShared()),
                shared::name,
                this);
    }

    /** First warp and number of warps of each role that has no roles within. */
    public int[][] roles() {
        return entry.roles().stream()
                .filter(role ->
                        entry.roles().stream().noneMatch(other -> other.parent().equals(Optional.of(role.name()))))
                .map(role -> new int[] {role.firstWarp(), role.warps()})
                .toArray(int[][]::new);
    }

    /** Indices of the waits for mbarriers that may be come back to. */
    public BitSet loopWaits() {
        return (BitSet) loopWaits.clone();
    }

    public Instr[] code() {
        return code;
    }

    public Entry entry() {
        return entry;
    }

    public PtxModule module() {
        return module;
    }

    public RegisterMap registers() {
        return registers;
    }

    public SharedPlacement shared() {
        return shared;
    }

    public ParameterPlacement parameters() {
        return parameters;
    }

    /** The instructions that arrive at barriers, found when somebody first asks. */
    public Arrivals arrivals() {
        Arrivals known = arrivals;
        if (known == null) {
            known = new Arrivals(this);
            arrivals = known;
        }
        return known;
    }

    /** Variables in global and constant memory. */
    public VariablePlacement variables() {
        return variables;
    }

    /** The text, written when somebody first needs it. */
    public Listing listing() {
        Listing known = listing;
        if (known == null) {
            known = new Listing(module, entry, positions);
            listing = known;
        }
        return known;
    }
}
