package dev.tilewright.ptx.analysis;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.RegisterDecl;
import dev.tilewright.ptx.Role;
import dev.tilewright.ptx.SharedDecl;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.Barrier.CtaBarrier;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.instruction.Wgmma.MmaAsync;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a kernel asks for.
 *
 * @param registers declared virtual registers by type; the assembler decides how many real ones they take
 * @param staticSharedBytes shared variables
 * @param dynamicSharedBytes what the launch must ask for
 * @param mbarriers barriers in the dynamic shared memory
 * @param namedBarriers ids of barrier.cta that are known; the assembler reserves all 16 if one is in a register
 * @param accumulatorsPerThread distinct wgmma accumulators of one thread: the most over the roles
 * @param instructions statements that are instructions
 */
public record ResourceUsage(
        Map<ScalarType, Integer> registers,
        int staticSharedBytes,
        int dynamicSharedBytes,
        int mbarriers,
        SortedSet<Integer> namedBarriers,
        int accumulatorsPerThread,
        int instructions) {
    public ResourceUsage {
        registers = Collections.unmodifiableMap(new EnumMap<>(registers));
        namedBarriers = Collections.unmodifiableSortedSet(new TreeSet<>(namedBarriers));
    }

    /** Counts one kernel. */
    public static ResourceUsage of(Entry entry) {
        Map<ScalarType, Integer> registers = new EnumMap<>(ScalarType.class);
        for (RegisterDecl decl : entry.registers()) {
            registers.merge(decl.type(), decl.registers(), Integer::sum);
        }
        SortedSet<Integer> named = new TreeSet<>();
        int instructions = 0;
        for (Statement statement : entry.body()) {
            switch (statement) {
                case Instruction i -> {
                    instructions++;
                    namedBarrier(i, named);
                }
                case Statement.Guarded g -> {
                    instructions++;
                    namedBarrier(g.instruction(), named);
                }
                case Statement.LabelTarget _, Statement.Comment _ -> {}
            }
        }
        return new ResourceUsage(
                registers,
                entry.staticShared().stream().mapToInt(SharedDecl::bytes).sum(),
                entry.dynamicShared().bytes(),
                entry.dynamicShared().regions().stream()
                        .filter(region -> region.kind() == SharedRegion.Kind.BARRIERS)
                        .mapToInt(SharedRegion::count)
                        .sum(),
                named,
                accumulators(entry),
                instructions);
    }

    private static void namedBarrier(Instruction instruction, Set<Integer> ids) {
        if (instruction instanceof CtaBarrier barrier && barrier.id() instanceof Immediate<?> id) {
            ids.add((int) id.bits());
        }
    }

    /** Outermost roles are executed by different threads, so their accumulators do not add up. */
    private static int accumulators(Entry entry) {
        List<Role> roles =
                entry.roles().stream().filter(role -> role.parent().isEmpty()).toList();
        int most = 0;
        int position = 0;
        Set<Reg<?>> outside = new HashSet<>();
        for (Role role : roles) {
            collect(entry.body().subList(position, role.firstStatement()), outside);
            Set<Reg<?>> inside = new HashSet<>();
            collect(entry.body().subList(role.firstStatement(), role.endStatement()), inside);
            most = Math.max(most, inside.size());
            position = role.endStatement();
        }
        collect(entry.body().subList(position, entry.body().size()), outside);
        return most + outside.size();
    }

    private static void collect(List<Statement> statements, Set<Reg<?>> accumulators) {
        for (Statement statement : statements) {
            Instruction instruction = switch (statement) {
                case Instruction i -> i;
                case Statement.Guarded g -> g.instruction();
                case Statement.LabelTarget _, Statement.Comment _ -> null;
            };
            if (instruction instanceof MmaAsync mma) {
                accumulators.addAll(mma.d());
            }
        }
    }
}
