package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.LaunchBounds;
import dev.tilewright.ptx.LaunchBounds.Cluster;
import dev.tilewright.ptx.LaunchBounds.Threads;
import dev.tilewright.ptx.Linkage;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.Param.Pointee;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/** A kernel: name, parameters, what it promises about its launch, body. */
final class EntryParser {
    private final Cursor cursor;
    private final Problems problems;
    private Optional<Threads> threads = Optional.empty();
    private int minCtasPerSm;
    private Optional<Cluster> cluster = Optional.empty();
    private boolean explicitCluster;
    private int maxClusterCtas;
    private int maxRegisters;

    /** A kernel and where its statements are. */
    record Located(Entry entry, List<Position> positions) {}

    EntryParser(Cursor cursor, Problems problems) {
        this.cursor = cursor;
        this.problems = problems;
    }

    /** Reads on behind {@code .entry}. */
    Located read(Names module, Linkage linkage) {
        Token name = cursor.word("the name of a kernel");
        Names names = module.function();
        List<Param> params = params(names);
        while (cursor.peek().kind() == Kind.MODIFIER) {
            launchOrProblem();
        }
        BodyParser body = new BodyParser(cursor, problems, names);
        body.read();
        Entry entry = new Entry(
                name.text(),
                linkage,
                params,
                new LaunchBounds(threads, minCtasPerSm, cluster, explicitCluster, maxClusterCtas, maxRegisters),
                body.shared(),
                body.marks().layout(),
                body.locals(),
                body.registers(),
                body.marks().roles(),
                body.statements());
        return new Located(entry, body.positions());
    }

    private List<Param> params(Names names) {
        return cursor.peek().isMark("(") ? cursor.inParentheses(() -> declared(names)) : List.of();
    }

    private Param declared(Names names) {
        if (!cursor.acceptModifier("param")) {
            throw cursor.refuse("expected .param, got " + cursor.peek().shown());
        }
        Declaration declared = Declaration.read(cursor);
        Param param = param(declared);
        names.declare(declared.name(), new Symbol(param.name(), StateSpace.PARAM));
        return param;
    }

    private static Param param(Declaration declared) {
        String name = declared.name().text();
        if (declared.array()) {
            Param.Kind map = Param.Kind.TENSOR_MAP;
            boolean isMap = declared.bytes() == map.bytes() && declared.alignment() == map.alignment();
            return isMap
                    ? new Param(name, map)
                    : new Param(name, Param.Kind.BYTES, declared.bytes(), declared.alignment());
        }
        Param.Kind kind = switch (declared.type()) {
            case B8, U8, S8 -> Param.Kind.U8;
            case B16, U16, S16, F16, BF16 -> Param.Kind.U16;
            case B32, U32, F16X2, BF16X2 -> Param.Kind.U32;
            case S32 -> Param.Kind.S32;
            case F32 -> Param.Kind.F32;
            case F64 -> Param.Kind.F64;
            case B64, U64, S64 -> {
                boolean buffer = declared.pointee().equals(Optional.of(new Pointee(StateSpace.GLOBAL, 16)));
                yield buffer ? Param.Kind.POINTER : Param.Kind.U64;
            }
            case F32X2, PRED, B128 ->
                throw Refusal.unsupported(
                        declared.name().at(),
                        "a parameter of type ." + declared.type().ptx() + " is not supported");
        };
        return new Param(name, kind, kind.bytes(), kind.alignment(), declared.pointee());
    }

    /** A promise that is refused does not hide what is wrong with the body. */
    private void launchOrProblem() {
        Token directive = cursor.peek();
        try {
            launch();
        } catch (Refusal refusal) {
            problems.add("." + directive.text(), refusal);
            while (!cursor.atEnd()
                    && cursor.peek().kind() != Kind.MODIFIER
                    && !cursor.peek().isMark("{")) {
                cursor.next();
            }
        }
    }

    private void launch() {
        Token directive = cursor.next();
        switch (directive.text()) {
            case "maxntid", "reqntid" -> {
                int[] sizes = sizes();
                threads = Optional.of(new Threads(directive.text().equals("reqntid"), sizes[0], sizes[1], sizes[2]));
            }
            case "minnctapersm" -> minCtasPerSm = new Constants(cursor).integer("CTAs per SM", 0, 64);
            case "reqnctapercluster" -> {
                int[] sizes = sizes();
                cluster = Optional.of(new Cluster(sizes[0], sizes[1], sizes[2]));
            }
            case "explicitcluster" -> explicitCluster = true;
            case "maxclusterrank" -> maxClusterCtas = new Constants(cursor).integer("CTAs of a cluster", 1, 16);
            case "maxnreg" -> maxRegisters = new Constants(cursor).integer("registers of a thread", 1, 255);
            case "pragma" -> cursor.skipPragma(directive);
            default -> throw Directives.unread(directive, "." + directive.text() + " is not supported");
        }
    }

    private int[] sizes() {
        int[] sizes = {1, 1, 1};
        for (int i = 0; i == 0 || (i < 3 && cursor.accept(",")); i++) {
            sizes[i] = new Constants(cursor).integer("a size", 1, LaunchBounds.MOST_THREADS);
        }
        return sizes;
    }
}
