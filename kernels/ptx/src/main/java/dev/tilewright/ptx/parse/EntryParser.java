package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.LaunchBounds;
import dev.tilewright.ptx.LaunchBounds.Cluster;
import dev.tilewright.ptx.Param;
import dev.tilewright.ptx.parse.Token.Kind;
import dev.tilewright.ptx.type.StateSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A kernel: name, parameters, what it promises about its launch, body. */
final class EntryParser {
    /** A kernel that promises nothing may be launched with as many threads as a CTA can have. */
    private static final int MOST_THREADS = 1024;

    private final Cursor cursor;
    private final Problems problems;
    private int maxThreads = MOST_THREADS;
    private int minCtasPerSm;
    private Optional<Cluster> cluster = Optional.empty();

    /** A kernel and where its statements are. */
    record Located(Entry entry, List<Position> positions) {}

    EntryParser(Cursor cursor, Problems problems) {
        this.cursor = cursor;
        this.problems = problems;
    }

    /** Reads on behind {@code .entry}. */
    Located read(Names module) {
        Token name = cursor.word("the name of a kernel");
        Names names = module.function();
        List<Param> params = params(names);
        while (cursor.peek().kind() == Kind.MODIFIER) {
            launch();
        }
        BodyParser body = new BodyParser(cursor, problems);
        body.read(names);
        Entry entry = new Entry(
                name.text(),
                params,
                new LaunchBounds(maxThreads, minCtasPerSm, cluster),
                body.shared(),
                body.marks().layout(),
                body.locals(),
                body.registers(),
                body.marks().roles(),
                body.statements());
        return new Located(entry, body.positions());
    }

    private List<Param> params(Names names) {
        List<Param> all = new ArrayList<>();
        if (!cursor.accept("(") || cursor.accept(")")) {
            return all;
        }
        do {
            if (!cursor.acceptModifier("param")) {
                throw cursor.refuse("expected .param, got " + cursor.peek().shown());
            }
            Declaration declared = Declaration.read(cursor);
            Token name = declared.name();
            if (names.declaresSymbol(name.text())) {
                throw new Refusal(name.at(), "parameter " + name.text() + " is declared twice");
            }
            Param param = param(declared);
            names.declare(name.text(), new Symbol(name.text(), StateSpace.PARAM));
            all.add(param);
        } while (cursor.accept(","));
        cursor.expect(")");
        return all;
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
        return new Param(
                name,
                switch (declared.type()) {
                    case B8, U8, S8 -> Param.Kind.U8;
                    case B16, U16, S16, F16, BF16 -> Param.Kind.U16;
                    case B32, U32, F16X2, BF16X2 -> Param.Kind.U32;
                    case S32 -> Param.Kind.S32;
                    case F32 -> Param.Kind.F32;
                    case F64 -> Param.Kind.F64;
                    case B64, U64, S64 -> {
                        // Our own pointers promise their space and alignment; others are plain words.
                        boolean pointer = declared.alignment() == 16
                                && declared.pointee().filter("global"::equals).isPresent();
                        yield pointer ? Param.Kind.POINTER : Param.Kind.U64;
                    }
                    case PRED, B128 ->
                        throw new Refusal(
                                declared.name().at(),
                                "a parameter of type ." + declared.type().ptx() + " is not supported");
                });
    }

    private void launch() {
        Token directive = cursor.next();
        Position at = directive.at();
        switch (directive.text()) {
            case "maxntid", "reqntid" -> maxThreads = threads(at);
            case "minnctapersm" -> minCtasPerSm = new Constants(cursor).integer("CTAs per SM", 0, 64);
            case "reqnctapercluster" -> {
                int[] sizes = sizes();
                cluster = Optional.of(new Cluster(sizes[0], sizes[1], sizes[2]));
            }
            case "explicitcluster" -> {}
            // Limits for the assembler, which promise nothing about the launch.
            case "maxclusterrank", "maxnreg", "maxnctapersm" ->
                new Constants(cursor).integer("." + directive.text(), 0, 1 << 20);
            case "pragma" -> {
                if (cursor.next().kind() != Kind.STRING) {
                    throw new Refusal(at, ".pragma needs a string");
                }
                cursor.accept(";");
            }
            default -> throw new Refusal(at, "." + directive.text() + " is not supported");
        }
    }

    private int threads(Position at) {
        int[] sizes = sizes();
        long product = (long) sizes[0] * sizes[1] * sizes[2];
        if (product > MOST_THREADS) {
            throw new Refusal(at, "a CTA has at most " + MOST_THREADS + " threads, got " + product);
        }
        return (int) product;
    }

    private int[] sizes() {
        int[] sizes = {1, 1, 1};
        for (int i = 0; i == 0 || (i < 3 && cursor.accept(",")); i++) {
            sizes[i] = new Constants(cursor).integer("a size", 1, MOST_THREADS);
        }
        return sizes;
    }
}
