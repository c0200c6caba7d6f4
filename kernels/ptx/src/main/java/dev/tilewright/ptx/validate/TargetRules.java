package dev.tilewright.ptx.validate;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.IsaVersion;
import dev.tilewright.ptx.type.Requirement;
import dev.tilewright.ptx.validate.Diagnostic.Rule;
import java.util.List;

/** Every instruction exists on the target and in the ISA. */
final class TargetRules {
    private TargetRules() {}

    static void check(PtxModule module, Entry entry, IsaVersion highest, Diagnostics findings) {
        List<Statement> body = entry.body();
        for (int i = 0; i < body.size(); i++) {
            int statement = i;
            Diagnostics.instruction(body.get(i)).ifPresent(instruction -> {
                Requirement needs = instruction.requires();
                if (!needs.allows(module.target()) || needs.since().compareTo(highest) > 0) {
                    findings.add(
                            Rule.TARGET,
                            statement,
                            name(instruction) + " needs " + needs + "; the target is "
                                    + module.target().ptx());
                }
            });
        }
    }

    /** Family and form, as the records are named. */
    private static String name(Instruction instruction) {
        Class<?> form = instruction.getClass();
        return form.getEnclosingClass().getSimpleName() + "." + form.getSimpleName();
    }
}
