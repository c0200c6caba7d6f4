package dev.tilewright.emulator.mutation;

import dev.tilewright.emulator.program.Listing;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Makes all mutants of a kernel: at each statement of its body every change that {@link Changes} knows for it. A
 * dropped statement becomes a comment, so that roles keep their ranges. Changes that the records refuse are no mutants.
 */
public final class MutantGenerator {
    private final PtxModule module;
    private final Entry entry;
    private final Listing listing;
    private final List<Mutant> mutants = new ArrayList<>();

    private MutantGenerator(PtxModule module, Entry entry) {
        this.module = module;
        this.entry = entry;
        listing = new Listing(module, entry);
    }

    public static List<Mutant> of(PtxModule module, String entryName) {
        MutantGenerator generator = new MutantGenerator(module, module.entry(entryName));
        generator.generate();
        return generator.mutants;
    }

    private void generate() {
        Changes changes = new Changes(entry, this::add);
        for (int i = 0; i < entry.body().size(); i++) {
            changes.at(i);
        }
    }

    private void add(int index, String kind, String change, Supplier<Statement> replacement) {
        Statement changed;
        try {
            changed = replacement.get();
        } catch (IllegalArgumentException refused) {
            return;
        }
        if (changed.equals(entry.body().get(index))) {
            return;
        }
        List<Statement> body = new ArrayList<>(entry.body());
        body.set(index, changed);
        Entry mutated = new Entry(
                entry.name(),
                entry.params(),
                entry.launch(),
                entry.staticShared(),
                entry.dynamicShared(),
                entry.registers(),
                entry.roles(),
                body);
        String text = listing.text(index);
        String shortened =
                text.length() > 120 ? text.substring(0, 60) + "..." + text.substring(text.length() - 55) : text;
        mutants.add(new Mutant(
                kind,
                "'" + shortened + "' #" + occurrence(index) + ": " + change,
                new PtxModule(module.target(), module.shared(), List.of(mutated))));
    }

    /** How many statements of the same text come before, and this one. */
    private int occurrence(int index) {
        int count = 1;
        for (int i = 0; i < index; i++) {
            if (listing.text(i).equals(listing.text(index))) {
                count++;
            }
        }
        return count;
    }

    /** The instruction of a statement with the same guard. */
    static Statement with(Statement statement, Instruction instruction) {
        return statement instanceof Statement.Guarded guarded
                ? new Statement.Guarded(guarded.predicate(), guarded.negated(), instruction)
                : instruction;
    }
}
