package dev.tilewright.emulator.mutation;

import dev.tilewright.emulator.program.Listing;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.WarpRole;
import dev.tilewright.ptx.instruction.Arithmetic;
import dev.tilewright.ptx.instruction.Barrier;
import dev.tilewright.ptx.instruction.BulkCopy;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Compare;
import dev.tilewright.ptx.instruction.FloatMath;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Mbarrier;
import dev.tilewright.ptx.instruction.Memory;
import dev.tilewright.ptx.instruction.Move;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.Wgmma;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes all mutants of a kernel by the rules of {@code docs/emulator/mutation*.md}, in the order of its statements. */
public final class MutantGenerator {
    private final PtxModule module;
    private final Entry entry;
    private final Listing listing;
    private final Map<String, Mutant> mutants = new LinkedHashMap<>();

    private MutantGenerator(PtxModule module, Entry entry) {
        this.module = module;
        this.entry = entry;
        listing = new Listing(module, entry, List.of());
    }

    /**
     * The mutants of an entry.
     *
     * @param swizzle bytes over which operands are swizzled
     */
    public static List<Mutant> of(PtxModule module, String entryName, int swizzle) {
        MutantGenerator generator = new MutantGenerator(module, module.entry(entryName));
        generator.generate(8 * swizzle);
        return List.copyOf(generator.mutants.values());
    }

    private void generate(int atom) {
        List<Statement> body = entry.body();
        Definitions definitions = new Definitions(body);
        Changes changes = new Changes(body, this::add);
        SynchronisationRules synchronisation =
                new SynchronisationRules(body, entry.dynamicShared(), definitions, changes);
        TransferRules transfer = new TransferRules(definitions, changes, atom);
        ScalarRules scalar = new ScalarRules(
                definitions,
                changes,
                atom,
                IntStream.range(0, body.size())
                        .mapToObj(definitions::instruction)
                        .flatMap(instruction -> instruction.flatMap(ScalarRules::drawn).stream())
                        .toList());
        TensorRules tensor = new TensorRules(body, definitions, changes);
        EpilogueRules epilogue = new EpilogueRules(definitions, changes, body.size());
        LaunchControlRules launchControl = new LaunchControlRules(definitions, changes);
        for (int i = 0; i < body.size(); i++) {
            int index = i;
            if (body.get(index) instanceof Statement.Guarded guarded && !synchronisation.isRetry(index)) {
                changes.replaceStatement(
                        Rule.PREDICATE,
                        index,
                        "negate the guard",
                        new Statement.Guarded(guarded.predicate(), !guarded.negated(), guarded.instruction()));
                changes.replaceStatement(Rule.PREDICATE, index, "drop the guard", guarded.instruction());
                launchControl.guarded(index, guarded, body);
            }
            definitions.instruction(index).ifPresent(instruction -> {
                switch (instruction) {
                    case Barrier b -> synchronisation.barrier(index, b);
                    case Mbarrier m -> synchronisation.mbarrier(index, m);
                    case BulkCopy c -> transfer.bulkCopy(index, c);
                    case Matrix m -> transfer.matrix(index, m);
                    case Memory m -> {
                        transfer.memory(index, m);
                        if (m instanceof Memory.Load load) {
                            epilogue.load(index, load);
                        }
                        if (m instanceof Memory.Atomic atomic) {
                            scalar.counter(index, atomic);
                        }
                    }
                    case Wgmma w -> scalar.wgmma(index, w);
                    case Tcgen05.Commit commit -> {
                        synchronisation.commit(index, commit);
                        commit.multicast().ifPresent(transfer::multicast);
                    }
                    case Tcgen05 t -> tensor.tensor(index, t);
                    case ClusterLaunchControl c -> launchControl.launchControl(index, c);
                    case FloatMath.Binary f -> epilogue.step(index, f);
                    case FloatMath.Fma f -> epilogue.scaled(index, f);
                    case Arithmetic a -> scalar.arithmetic(index, a);
                    case Compare c -> scalar.compare(index, c);
                    case Move m -> scalar.move(index, m);
                    default -> {}
                }
            });
        }
    }

    private void add(Rule rule, int index, String change, Supplier<Map<Integer, List<Statement>>> proposal) {
        Map<Integer, List<Statement>> edits;
        try {
            edits = proposal.get();
        } catch (IllegalArgumentException refused) {
            return;
        }
        String text = listing.text(index);
        String shortened =
                text.length() > 120 ? text.substring(0, 60) + "..." + text.substring(text.length() - 55) : text;
        String description = "'" + shortened + "' #" + occurrence(index) + ": " + change;
        // Two copies may share the constant of their mask: the same change is one mutant.
        mutants.putIfAbsent(
                rule.text() + " " + description,
                new Mutant(rule, description, new PtxModule(module.target(), module.shared(), List.of(edited(edits)))));
    }

    private Entry edited(Map<Integer, List<Statement>> edits) {
        List<Statement> body = new ArrayList<>();
        Map<Integer, Integer> moved = new HashMap<>();
        for (int i = 0; i < entry.body().size(); i++) {
            moved.put(i, body.size());
            body.addAll(edits.getOrDefault(i, List.of(entry.body().get(i))));
        }
        moved.put(entry.body().size(), body.size());
        List<WarpRole> roles = entry.roles().stream()
                .map(role -> new WarpRole(
                        role.name(),
                        role.firstWarp(),
                        role.warps(),
                        moved.get(role.firstStatement()),
                        moved.get(role.endStatement()),
                        role.parent()))
                .toList();
        return new Entry(
                entry.name(),
                entry.linkage(),
                entry.params(),
                entry.launch(),
                entry.staticShared(),
                entry.dynamicShared(),
                entry.locals(),
                entry.registers(),
                roles,
                body);
    }

    /** How many statements of the same text come before, and this one. */
    private long occurrence(int index) {
        return Stream.iterate(0, i -> i <= index, i -> i + 1)
                .filter(i -> listing.text(i).equals(listing.text(index)))
                .count();
    }
}
