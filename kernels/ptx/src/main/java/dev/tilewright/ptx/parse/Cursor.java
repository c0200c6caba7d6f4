package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.parse.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Walks over the tokens of a text. */
final class Cursor {
    private final List<Token> tokens;
    private final List<Remark> remarks;
    private int at;
    private int remark;

    Cursor(List<Token> tokens, List<Remark> remarks) {
        this.tokens = tokens;
        this.remarks = remarks;
    }

    int index() {
        return at;
    }

    Token peek() {
        return tokens.get(at);
    }

    /** The token {@code ahead} of the next one; the end stands for all behind it. */
    Token peek(int ahead) {
        return tokens.get(Math.min(at + ahead, tokens.size() - 1));
    }

    Token at(int index) {
        return tokens.get(Math.min(index, tokens.size() - 1));
    }

    Token next() {
        Token token = tokens.get(at);
        if (token.kind() != Kind.END) {
            at++;
        }
        return token;
    }

    /** The text that was read from that position on. */
    List<Token> between(int start) {
        return tokens.subList(start, at);
    }

    /** The name of the function whose declaration continues here, behind its results. */
    String name() {
        int i = at;
        if (at(i).isMark("(")) {
            while (at(i).kind() != Kind.END && !at(i).isMark(")")) {
                i++;
            }
            i++;
        }
        return at(i).text();
    }

    boolean atEnd() {
        return peek().kind() == Kind.END;
    }

    boolean accept(String mark) {
        if (peek().isMark(mark)) {
            at++;
            return true;
        }
        return false;
    }

    void expect(String mark) {
        if (!accept(mark)) {
            throw refuse("expected '" + mark + "', got " + peek().shown());
        }
    }

    /** Elements with commas between them; at least one. */
    <E> List<E> list(Supplier<? extends E> element) {
        List<E> all = new ArrayList<>();
        do {
            all.add(element.get());
        } while (accept(","));
        return all;
    }

    /** A list in parentheses, which may be empty. */
    <E> List<E> inParentheses(Supplier<? extends E> element) {
        expect("(");
        if (accept(")")) {
            return List.of();
        }
        List<E> all = list(element);
        expect(")");
        return all;
    }

    boolean acceptModifier(String modifier) {
        if (peek().is(Kind.MODIFIER, modifier)) {
            at++;
            return true;
        }
        return false;
    }

    String modifier(String what) {
        return take(Kind.MODIFIER, what).text();
    }

    Token word(String what) {
        return take(Kind.WORD, what);
    }

    Token number(String what) {
        return take(Kind.NUMBER, what);
    }

    private Token take(Kind kind, String what) {
        if (peek().kind() != kind) {
            throw refuse("expected " + what + ", got " + peek().shown());
        }
        return next();
    }

    Refusal refuse(String reason) {
        return new Refusal(peek().at(), reason);
    }

    /** The comments between the last token and the next. Each is returned once; comments inside a statement never. */
    List<Remark> remarks() {
        while (remark < remarks.size() && remarks.get(remark).before() < at) {
            remark++;
        }
        List<Remark> here = new ArrayList<>();
        while (remark < remarks.size() && remarks.get(remark).before() == at) {
            here.add(remarks.get(remark++));
        }
        return here;
    }

    /** Skips the rest of a directive that ends with its line, as debug information does. */
    void skipLine(Token directive) {
        while (!atEnd() && peek().at().line() == directive.at().line()) {
            next();
        }
    }

    /** Skips the text of a pragma outside of a body, and its semicolon if it has one. */
    void skipPragma(Token directive) {
        if (next().kind() != Kind.STRING) {
            throw new Refusal(directive.at(), ".pragma needs a string");
        }
        accept(";");
    }

    /** Continues behind a refused statement: behind its semicolon, or before the brace that ends its block. */
    void skipStatement(int start) {
        at = start;
        int depth = 0;
        while (!atEnd()) {
            Token token = peek();
            if (token.isMark("{")) {
                depth++;
            } else if (token.isMark("}")) {
                if (depth == 0) {
                    return;
                }
                depth--;
            }
            at++;
            if (token.isMark(";") && depth == 0) {
                return;
            }
        }
    }

    /** Continues behind a definition of the module: behind its semicolon or its body. */
    void skipDefinition(int start) {
        at = start;
        int depth = 0;
        while (!atEnd()) {
            Token token = next();
            if (token.isMark("{")) {
                depth++;
            } else if (token.isMark("}")) {
                depth--;
                if (depth <= 0) {
                    return;
                }
            } else if (token.isMark(";") && depth == 0) {
                return;
            }
        }
    }
}
