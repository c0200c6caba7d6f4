package dev.tilewright.proof;

import com.sun.source.tree.BindingPatternTree;
import com.sun.source.tree.CaseLabelTree;
import com.sun.source.tree.CaseTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.DefaultCaseLabelTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.PatternCaseLabelTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.type.TypeMirror;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Where sources take all that is left of a sealed type or an enum of ours in one case, as the compiler sees them. */
final class CatchAlls extends TreePathScanner<@Nullable Void, @Nullable Void> {
    /**
     * A case that takes the rest.
     *
     * @param type over which the switch goes, its simple name
     */
    record CatchAll(String file, String type, long line) {}

    private final Trees trees;
    private final JavacTask task;
    private final CompilationUnitTree unit;
    private final List<CatchAll> found;

    private CatchAlls(JavacTask task, CompilationUnitTree unit, List<CatchAll> found) {
        this.task = task;
        this.trees = Trees.instance(task);
        this.unit = unit;
        this.found = found;
    }

    /** Those of the sources, which must compile with the class path of this program. */
    static List<CatchAll> of(List<? extends JavaFileObject> sources) throws IOException {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        List<String> options = List.of("-proc:none", "-classpath", System.getProperty("java.class.path"));
        JavacTask task =
                (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, said, options, null, sources);
        List<CatchAll> found = new ArrayList<>();
        Iterable<? extends CompilationUnitTree> units = task.parse();
        task.analyze();
        List<String> errors = said.getDiagnostics().stream()
                .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                .map(Object::toString)
                .toList();
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException("sources that do not compile: " + errors);
        }
        units.forEach(unit -> new CatchAlls(task, unit, found).scan(unit, null));
        return found;
    }

    @Override
    public @Nullable Void visitSwitch(SwitchTree node, @Nullable Void nothing) {
        look(node.getExpression(), node.getCases());
        return super.visitSwitch(node, nothing);
    }

    @Override
    public @Nullable Void visitSwitchExpression(SwitchExpressionTree node, @Nullable Void nothing) {
        look(node.getExpression(), node.getCases());
        return super.visitSwitchExpression(node, nothing);
    }

    private void look(ExpressionTree selector, List<? extends CaseTree> cases) {
        TypeMirror type = trees.getTypeMirror(TreePath.getPath(unit, selector));
        Element element = task.getTypes().asElement(type);
        boolean listed = element != null
                && (element.getKind() == ElementKind.ENUM
                        || element.getModifiers().contains(Modifier.SEALED));
        if (!listed || !element.toString().startsWith("dev.tilewright.")) {
            return;
        }
        for (CaseTree each : cases) {
            for (CaseLabelTree label : each.getLabels()) {
                if (each.getGuard() == null && takesAll(label, type)) {
                    found.add(new CatchAll(
                            Path.of(unit.getSourceFile().getName())
                                    .getFileName()
                                    .toString(),
                            element.getSimpleName().toString(),
                            unit.getLineMap()
                                    .getLineNumber(trees.getSourcePositions().getStartPosition(unit, label))));
                }
            }
        }
    }

    private boolean takesAll(CaseLabelTree label, TypeMirror type) {
        if (label instanceof DefaultCaseLabelTree) {
            return true;
        }
        if (label instanceof PatternCaseLabelTree pattern && pattern.getPattern() instanceof BindingPatternTree named) {
            Tree written = named.getVariable().getType();
            Tree variable = written == null ? named.getVariable() : written;
            TypeMirror taken = trees.getTypeMirror(TreePath.getPath(unit, variable));
            return task.getTypes()
                    .isSubtype(task.getTypes().erasure(type), task.getTypes().erasure(taken));
        }
        return false;
    }
}
