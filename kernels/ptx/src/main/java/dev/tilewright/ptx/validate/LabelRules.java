package dev.tilewright.ptx.validate;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.form.Operands;
import dev.tilewright.ptx.instruction.OperandVisitor;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.validate.Diagnostic.Rule;
import java.util.HashSet;
import java.util.Set;

/** Every branch has exactly one target. */
final class LabelRules {
    private LabelRules() {}

    static void check(PtxModule module, Entry entry, Diagnostics findings) {
        Set<String> taken = new HashSet<>();
        module.shared().forEach(decl -> taken.add(decl.name()));
        entry.staticShared().forEach(decl -> taken.add(decl.name()));
        entry.params().forEach(param -> taken.add(param.name()));
        Set<Label> defined = new HashSet<>();
        for (int i = 0; i < entry.body().size(); i++) {
            if (entry.body().get(i) instanceof Statement.LabelTarget target) {
                String name = target.label().name();
                if (!defined.add(target.label())) {
                    findings.add(Rule.LABEL_DUPLICATE, i, "label " + name + " is defined twice");
                } else if (taken.contains(name)) {
                    findings.add(Rule.LABEL_DUPLICATE, i, "label " + name + " is also a parameter or variable");
                }
            }
        }
        for (int i = 0; i < entry.body().size(); i++) {
            int statement = i;
            Diagnostics.instruction(entry.body().get(i))
                    .ifPresent(instruction -> Operands.visit(instruction, new OperandVisitor() {
                        @Override
                        public void target(Label label) {
                            if (!defined.contains(label)) {
                                findings.add(
                                        Rule.LABEL_UNDEFINED, statement, "label " + label.name() + " is not defined");
                            }
                        }
                    }));
        }
    }
}
