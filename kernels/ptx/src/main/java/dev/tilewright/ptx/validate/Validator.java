package dev.tilewright.ptx.validate;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.IsaVersion;
import java.util.ArrayList;
import java.util.List;

/** Checks a module against every rule; each entry on its own, in the order of the rules. */
public final class Validator {
    private static final IsaVersion ANY = new IsaVersion(Integer.MAX_VALUE, 0);

    private Validator() {}

    /** All that is wrong with the module. */
    public static List<Diagnostic> validate(PtxModule module) {
        return validate(module, ANY);
    }

    /** As above, and nothing above the ISA version that the assembler at hand knows. */
    public static List<Diagnostic> validate(PtxModule module, IsaVersion highest) {
        List<Diagnostic> all = new ArrayList<>();
        for (Entry entry : module.entries()) {
            Diagnostics findings = new Diagnostics(entry);
            new OperandRules(module, entry, findings).check();
            TargetRules.check(module, entry, highest, findings);
            LabelRules.check(module, entry, findings);
            ResourceRules.check(module, entry, findings);
            BarrierRules.check(entry, findings);
            all.addAll(findings.all());
        }
        return List.copyOf(all);
    }
}
