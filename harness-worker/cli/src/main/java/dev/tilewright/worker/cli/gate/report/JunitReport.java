package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.gate.decision.GateExit;
import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/**
 * JUnit XML: a test for each case. What is inconclusive is skipped, unless that fails. Where no case says how the run
 * ends, the run is a test itself: a suite of none would pass everywhere.
 */
record JunitReport(GateRun run, FailOn failOn) {

    private static final DateTimeFormatter WITHOUT_ZONE = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

    /** One test; {@code type} says what is wrong in the words of a CI system. */
    private record Test(String name, GateExit exit, String type, String message, String body) {}

    String text() {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            suite(xml);
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException("a text of memory cannot be written", impossible);
        }
        return text + "\n";
    }

    private List<Test> tests() {
        List<Judged> cases = Judged.of(run, failOn);
        List<Test> tests = new ArrayList<>(cases.stream().map(JunitReport::test).toList());
        GateExit end = GateExit.of(run, failOn);
        if (tests.isEmpty() || tests.stream().noneMatch(test -> test.exit() == end)) {
            GateWords words = new GateWords(run, failOn);
            tests.add(new Test("(the run itself)", end, type(end, run.verdict()), words.reason(), ""));
        }
        return tests;
    }

    private static Test test(Judged one) {
        String body = String.join("\n", one.evidence());
        String effect = (GateWords.effect(one.result().effect()) + " "
                        + GateWords.interval(one.result().effect()))
                .strip();
        String message = one.verdict() + (effect.isEmpty() ? "" : " " + effect) + ": " + one.reason();
        return new Test(one.name(), one.exit(), type(one.exit(), one.result().verdict()), message, body);
    }

    private static String type(GateExit exit, @Nullable GateVerdict verdict) {
        if (exit == GateExit.INFRASTRUCTURE) {
            return "Infrastructure";
        }
        return switch (verdict) {
            case null -> "Infrastructure";
            case INVALID -> "WrongResult";
            case INCONCLUSIVE -> "Inconclusive";
            case PASS, WARN, FAIL, FASTER, UNCHANGED_BINARY -> "PerformanceRegression";
        };
    }

    private void suite(XMLStreamWriter xml) throws XMLStreamException {
        List<Test> tests = tests();
        xml.writeCharacters("\n");
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", "tilewright gate " + run.gate());
        xml.writeAttribute(
                "timestamp",
                run.createdAt()
                        .truncatedTo(ChronoUnit.SECONDS)
                        .atOffset(ZoneOffset.UTC)
                        .format(WITHOUT_ZONE));
        xml.writeAttribute("hostname", "localhost");
        xml.writeAttribute("tests", Integer.toString(tests.size()));
        xml.writeAttribute("failures", count(tests, GateExit.REGRESSION));
        xml.writeAttribute("errors", count(tests, GateExit.INFRASTRUCTURE));
        xml.writeAttribute("skipped", count(tests, GateExit.INCONCLUSIVE));
        xml.writeAttribute("time", String.format(Locale.ROOT, "%.3f", run.gpuSeconds()));
        xml.writeCharacters("\n");
        properties(xml);
        for (Test test : tests) {
            test(xml, test);
        }
        element(
                xml,
                "system-out",
                Stream.concat(
                                Stream.of(new GateWords(run, failOn).verdict()),
                                new GateWords(run, failOn).origin().stream())
                        .toList());
        element(xml, "system-err", List.of(Objects.requireNonNullElse(run.error(), "")));
        xml.writeEndElement();
    }

    private static String count(List<Test> tests, GateExit exit) {
        return Long.toString(tests.stream().filter(test -> test.exit() == exit).count());
    }

    private void properties(XMLStreamWriter xml) throws XMLStreamException {
        xml.writeStartElement("properties");
        property(xml, "run", run.id().toString());
        property(xml, "commit", run.commit());
        property(xml, "branch", run.branch());
        property(
                xml,
                "device",
                run.testbed() == null ? run.device() : run.testbed().device());
        property(
                xml, "kind", run.testbed() == null ? null : run.testbed().kind().toString());
        property(xml, "verdict", run.verdict() == null ? null : run.verdict().toString());
        xml.writeEndElement();
        xml.writeCharacters("\n");
    }

    private static void property(XMLStreamWriter xml, String name, @Nullable String value) throws XMLStreamException {
        if (value != null) {
            xml.writeEmptyElement("property");
            xml.writeAttribute("name", name);
            xml.writeAttribute("value", XmlText.of(value));
        }
    }

    private void test(XMLStreamWriter xml, Test test) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("name", test.name());
        xml.writeAttribute("classname", "tilewright.gate." + run.gate());
        xml.writeAttribute("time", "0");
        switch (test.exit()) {
            case PASS -> {}
            case REGRESSION -> complaint(xml, "failure", test);
            case INCONCLUSIVE -> complaint(xml, "skipped", test);
            case INFRASTRUCTURE -> complaint(xml, "error", test);
        }
        xml.writeEndElement();
        xml.writeCharacters("\n");
    }

    private static void complaint(XMLStreamWriter xml, String element, Test test) throws XMLStreamException {
        xml.writeStartElement(element);
        xml.writeAttribute("message", XmlText.of(test.message()));
        if (!element.equals("skipped")) {
            xml.writeAttribute("type", test.type());
        }
        xml.writeCharacters(XmlText.of(test.body()));
        xml.writeEndElement();
    }

    private static void element(XMLStreamWriter xml, String name, List<String> lines) throws XMLStreamException {
        xml.writeStartElement(name);
        xml.writeCharacters(XmlText.of(String.join("\n", lines)));
        xml.writeEndElement();
        xml.writeCharacters("\n");
    }
}
