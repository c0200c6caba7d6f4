package dev.tilewright.emulator.program;

import dev.tilewright.emulator.UnsupportedKernelException;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.parse.Position;
import dev.tilewright.ptx.type.Label;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An entry ready to run; immutable, shared by all warps and runs. */
public final class Program {
    private record Line(int statement, Instruction instruction, Statement.@Nullable Guarded guard) {}

    private final PtxModule module;
    private final List<Position> positions;
    private final Entry entry;
    private final RegisterMap registers;
    private final SharedPlacement shared;
    private final ParameterPlacement parameters;
    private final Instr[] code;
    private @Nullable Listing listing;

    /**
     * Decodes an entry.
     *
     * @throws UnsupportedKernelException naming all instructions that the machine does not know
     */
    public Program(PtxModule module, String name) {
        this(module, name, List.of());
    }

    /**
     * Decodes an entry of a text.
     *
     * @param positions of the statements in the text; empty for that of the writer
     * @throws UnsupportedKernelException naming all instructions that the machine does not know
     */
    public Program(PtxModule module, String name, List<Position> positions) {
        this.module = module;
        this.positions = List.copyOf(positions);
        entry = module.entry(name);
        registers = new RegisterMap(entry);
        shared = new SharedPlacement(module, entry);
        parameters = new ParameterPlacement(entry.params());
        code = decode();
    }

    private Instr[] decode() {
        List<Line> lines = new ArrayList<>();
        Map<Label, Integer> labels = new HashMap<>();
        for (int i = 0; i < entry.body().size(); i++) {
            switch (entry.body().get(i)) {
                case Statement.LabelTarget target -> labels.put(target.label(), lines.size());
                case Statement.Comment _ -> {}
                case Statement.Guarded guarded -> lines.add(new Line(i, guarded.instruction(), guarded));
                case Instruction instruction -> lines.add(new Line(i, instruction, null));
            }
        }
        // Falling off the end of a kernel ends the thread.
        lines.add(new Line(entry.body().size() - 1, new Control.Exit(), null));
        int n = lines.size();
        int[] targets = new int[n];
        boolean[] conditional = new boolean[n];
        boolean[] exits = new boolean[n];
        boolean[] convergent = new boolean[n];
        for (int i = 0; i < n; i++) {
            Instruction instruction = lines.get(i).instruction();
            targets[i] = instruction instanceof Control.Branch branch ? target(labels, branch.label()) : Instr.NONE;
            conditional[i] = lines.get(i).guard() != null;
            exits[i] = instruction instanceof Control.Return || instruction instanceof Control.Exit;
            convergent[i] = Convergence.needed(instruction);
        }
        ControlFlow flow = new ControlFlow(targets, conditional, exits, convergent);
        Decoder decoder = new Decoder(this);
        RegisterUse use =
                new RegisterUse(registers, lines.stream().map(Line::instruction).toList());
        List<String> unsupported = new ArrayList<>();
        Instr[] result = new Instr[n];
        for (int i = 0; i < n; i++) {
            Line line = lines.get(i);
            Operation operation;
            try {
                operation = decoder.operation(line.instruction());
            } catch (NotEmulatedException e) {
                unsupported.add(at(line.statement()) + " (" + e.getMessage() + ")");
                continue;
            }
            Statement.Guarded guard = line.guard();
            result[i] = new Instr(
                    i,
                    line.statement(),
                    line.instruction(),
                    operation,
                    guard == null ? Instr.NONE : registers.index(guard.predicate()),
                    guard != null && guard.negated(),
                    targets[i],
                    targets[i] >= 0 || exits[i] ? flow.join(i) : Instr.NONE,
                    flow.split(i),
                    use.reads(line.instruction()),
                    use.writes(line.instruction()),
                    use.touches(line.instruction()));
        }
        if (!unsupported.isEmpty()) {
            throw new UnsupportedKernelException(entry.name(), unsupported);
        }
        return result;
    }

    private String at(int statement) {
        return "line " + listing().line(statement) + " '" + listing().text(statement) + "'";
    }

    private static int target(Map<Label, Integer> labels, Label label) {
        Integer target = labels.get(label);
        if (target == null) {
            throw new IllegalArgumentException("no label named " + label.name());
        }
        return target;
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
