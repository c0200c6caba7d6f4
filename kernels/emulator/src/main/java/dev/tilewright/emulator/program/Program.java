package dev.tilewright.emulator.program;

import dev.tilewright.emulator.hazard.ShownName;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.order.Manner;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.warp.Footprint;
import dev.tilewright.emulator.warp.ProgramText;
import dev.tilewright.emulator.warp.RegisterMap;
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

/** An entry, unfolded and analysed; immutable, shared by all warps and runs. */
public final class Program implements ProgramText {
    private final PtxModule module;
    private final List<Position> positions;
    private final Entry entry;
    private final RegisterMap registers = new RegisterMap();
    private final SharedVariableLayout shared;
    private final ParameterLayout parameters;
    private final VariableLayout variables;
    private final int localEnd;
    private final BitSet loopWaits = new BitSet();
    private final List<String> refused = new ArrayList<>();
    private final Instr[] code;
    private @Nullable Listing listing;
    private @Nullable Arrivals arrivals;

    /**
     * Reads an entry of a text.
     *
     * @param positions of the statements in the text; empty for that of the writer
     */
    public Program(PtxModule module, String name, List<Position> positions) {
        this.module = module;
        this.positions = List.copyOf(positions);
        entry = module.entry(name);
        shared = new SharedVariableLayout(module, entry);
        parameters = new ParameterLayout(entry.params());
        variables = new VariableLayout(module);
        Unfolding unfolding = new Unfolding(module, entry, registers);
        localEnd = unfolding.localEnd();
        refused.addAll(unfolding.refused());
        refused.addAll(unknownSymbols());
        code = read(unfolding.lines());
    }

    /** The reasons why no run of this program can be emulated; empty for most programs. */
    public List<String> refused() {
        return List.copyOf(refused);
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

    private Instr[] read(List<Unfolding.Line> lines) {
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
        BitSet polls = Loops.polls(lines, flow, use);
        Instr[] result = new Instr[n];
        for (int i = 0; i < n; i++) {
            Unfolding.Line line = lines.get(i);
            Operands operands = frames.computeIfAbsent(line.frame(), frame -> new Operands(this, frame));
            Statement.Guarded guard = line.guard();
            Instr.Jump jump = line.instruction() instanceof FunctionCall.BranchIndexed indexed
                    ? new Instr.Jump(operands.value(indexed.index()), targets[i])
                    : null;
            boolean branches = targets[i].length > 0;
            result[i] = new Instr(
                    i,
                    line,
                    operands,
                    guard == null ? Instr.NONE : operands.predicate(guard.predicate()),
                    // A call goes around its function for those lanes that do not call.
                    guard != null && guard.negated() != (line.called() != null),
                    branches && jump == null ? targets[i][0] : Instr.NONE,
                    jump,
                    branches || exits[i] ? flow.join(i) : Instr.NONE,
                    flow.split(i),
                    use.reads(line),
                    use.writes(line),
                    use.touches(line),
                    polls.get(i));
        }
        return result;
    }

    /** The line of an instruction; of the call, where a function's own lines in the text are not known. */
    public int line(Instr instr) {
        return positions.isEmpty()
                ? listing().line(instr.function, instr.statement)
                : listing().line(instr.entryStatement);
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
        return "line " + line(code[pc]) + " '" + ShownName.ofInstruction(text(code[pc])) + "'";
    }

    @Override
    public Manner manner(int pc) {
        return code[pc].manner;
    }

    /** The threads, registers and shared memory that each CTA of a launch takes. */
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

    public SharedVariableLayout shared() {
        return shared;
    }

    public ParameterLayout parameters() {
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
    public VariableLayout variables() {
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
