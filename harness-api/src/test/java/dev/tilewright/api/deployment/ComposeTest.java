package dev.tilewright.api.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.api.platform.database.DatabaseUrl;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.json.JsonMapper;

/** docker-compose.yml refers to what exists, keeps secrets out of itself and waits only for what can become healthy. */
class ComposeTest {

    private static final String FOLDER = "/run/secrets/";
    /** Name, and at least two numbers of a version. */
    private static final String VERSIONED = "[\\w/-]+:v?\\d+\\.\\d+[\\w.-]*";

    private static final Pattern STAGE = Pattern.compile("^FROM \\S+ AS (\\w+)$", Pattern.MULTILINE);

    private final Path root = root();
    private final String text = read("docker-compose.yml");
    private final Map<?, ?> compose = new Yaml().load(text);
    private final Map<?, ?> services = map(compose.get("services"));

    @Test
    void hasTheWholeService() {
        assertThat(services.keySet().stream().map(Object::toString))
                .contains("postgres", "harness-api", "worker", "worker-cuda", "prometheus", "grafana");
        assertThat(map(services.get("worker")).get("profiles")).isEqualTo(List.of("cpu"));
        assertThat(map(services.get("worker-cuda")).get("profiles")).isEqualTo(List.of("gpu"));
        // What users paste is checked whichever profile runs.
        for (String worker : List.of("worker", "worker-cuda")) {
            assertThat(list(map(services.get(worker)).get("command")).getLast().toString())
                    .as("devices of %s", worker)
                    .endsWith(",emulated");
        }
        services.forEach((name, service) -> assertThat(map(service).get("restart"))
                .as("restart of %s", name)
                .isEqualTo("unless-stopped"));
    }

    @Test
    void isWhatTheComposeSpecificationDescribes() throws IOException {
        Schema schema;
        // Its own id is relative to where it was read.
        try (InputStream in = ComposeTest.class.getResourceAsStream("/deployment-schemas/compose-spec.json")) {
            schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                    .getSchema(
                            SchemaLocation.of("https://example.org/"),
                            JsonMapper.shared().readTree(in));
        }
        assertThat(schema.validate(JsonMapper.shared().valueToTree(compose))).isEmpty();
        assertThat(schema.validate(
                        JsonMapper.shared().valueToTree(new Yaml().load(text.replace("profiles:", "profile:")))))
                .as("a key that is misspelt")
                .isNotEmpty();
    }

    /** A tag that moves on would bring another program than the one that was tried. */
    @Test
    void imagesOfOthersHaveTheTagOfOneVersion() {
        services.forEach((name, service) -> {
            if (map(service).containsKey("image")) {
                assertThat(map(service).get("image").toString())
                        .as("image of %s", name)
                        .matches(VERSIONED);
            }
        });
        Matcher bases =
                Pattern.compile("^FROM (\\S+:\\S+) AS", Pattern.MULTILINE).matcher(read("packaging/Dockerfile"));
        assertThat(bases.results().map(base -> base.group(1))).hasSize(2).allMatch(base -> base.matches(VERSIONED));
    }

    /** Neither an environment of a container nor a command line has one. */
    @Test
    void everySecretIsAFileThatComesFromAVariableOfTheExample() {
        assertThat(text).as("values in the file").doesNotContain("${");
        Map<?, ?> secrets = map(compose.get("secrets"));
        TreeSet<String> sources = new TreeSet<>();
        secrets.forEach((name, secret) -> sources.add(
                Objects.requireNonNull(map(secret).get("environment")).toString()));
        TreeSet<String> example = read(".env.example")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf('=')))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(sources).isEqualTo(example);
        TreeSet<String> used = new TreeSet<>();
        services.forEach((name, service) -> {
            List<String> given = list(map(service).get("secrets")).stream()
                    .map(Object::toString)
                    .toList();
            used.addAll(given);
            environment(service).forEach((key, value) -> {
                if (key.toString().matches(".*(PASSWORD|TOKEN).*")) {
                    assertThat(key.toString()).as("%s of %s", key, name).endsWith("_FILE");
                    assertThat(value.toString()).as("%s of %s", key, name).startsWith(FOLDER);
                    assertThat(given)
                            .as("secrets of %s", name)
                            .contains(value.toString().substring(FOLDER.length()));
                }
            });
        });
        assertThat(used)
                .isEqualTo(new TreeSet<>(
                        secrets.keySet().stream().map(Object::toString).toList()));
    }

    @Test
    void filesThatReadSecretsReadThoseOfTheirContainer() {
        assertReads("prometheus", "dashboards/prometheus/prometheus.yml", "reader_token");
        assertReads("grafana", "dashboards/provisioning/datasources/tilewright.yml", "reader_password");
        assertThat(read("packaging/compose/postgres-init.sh"))
                .contains("$TILEWRIGHT_READER_PASSWORD_FILE", "$POSTGRES_PASSWORD\"");
    }

    /** Who reads meters changes nothing. */
    @Test
    void noTokenOfTheOperatorIsInAnyContainerButThatOfTheService() {
        services.forEach((name, service) -> {
            if (!name.equals("harness-api")) {
                assertThat(list(map(service).get("secrets")).stream().map(Object::toString))
                        .as("secrets of %s", name)
                        .doesNotContain("user_token");
            }
        });
    }

    private void assertReads(String service, String file, String secret) {
        assertThat(read(file)).contains(FOLDER + secret);
        assertThat(list(map(services.get(service)).get("secrets")).stream().map(Object::toString))
                .contains(secret);
    }

    /** The first role of the image is a superuser: whoever took over the service would have all of Postgres. */
    @Test
    void theServiceIsNoSuperuserOfItsDatabase() {
        String url = String.valueOf(environment(services.get("harness-api")).get("DATABASE_URL"));
        String user = DatabaseUrl.parse(url).user();
        assertThat(environment(services.get("postgres")).get("POSTGRES_USER")).isNull();
        assertThat(read("packaging/compose/postgres-init.sh"))
                .contains("create role " + user + " login password")
                .contains("alter database tilewright owner to " + user + ";", "alter role postgres password null;");
    }

    @Test
    void aServiceWaitsForOthersUntilTheyAreHealthy() {
        services.forEach((name, service) -> {
            Object dependencies = map(service).get("depends_on");
            if (dependencies != null) {
                map(dependencies).forEach((other, how) -> {
                    assertThat(map(how).get("condition"))
                            .as("%s waits for %s", name, other)
                            .isEqualTo("service_healthy");
                });
            }
        });
    }

    /** Its own, or that of its image. */
    @Test
    void everyServiceHasAHealthCheck() {
        services.forEach((name, service) -> {
            boolean checked = map(service).containsKey("healthcheck")
                    || map(service).containsKey("build")
                            && stage(target(map(service))).contains("\nHEALTHCHECK ");
            assertThat(checked).as("%s has a health check", name).isTrue();
        });
    }

    @Test
    void mountsFilesThatExistAndVolumesThatAreDeclared() {
        services.forEach((name, service) -> list(map(service).get("volumes")).forEach(mount -> {
            String source = mount.toString().split(":")[0];
            if (source.startsWith(".")) {
                assertThat(root.resolve(source)).as("mount of %s", name).exists();
            } else {
                assertThat(map(compose.get("volumes")).containsKey(source))
                        .as("volume %s", source)
                        .isTrue();
            }
        }));
    }

    @Test
    void ourImagesAreStagesOfTheDockerfileAndDoNotRunAsRoot() {
        services.forEach((name, service) -> {
            if (map(service).containsKey("build")) {
                assertThat(stage(target(map(service)))).as("stage of %s", name).contains("\nENTRYPOINT ");
            }
        });
        assertThat(stage("base")).contains("\nUSER tilewright");
        assertThat(read("packaging/Dockerfile"))
                .contains("FROM base AS api", "FROM base AS worker")
                .doesNotContain("USER root");
    }

    /** {@code .git} is not in the build, so the commit is given, and it is what the script of the build says. */
    @Test
    void ourImagesKnowTheirCommit() throws IOException, InterruptedException {
        assertThat(stage("build").indexOf("\nARG COMMIT="))
                .isPositive()
                .isLessThan(stage("build").indexOf("\nENV TILEWRIGHT_COMMIT=$COMMIT\n"));
        assertThat(stage("build").indexOf("\nENV TILEWRIGHT_COMMIT="))
                .isLessThan(stage("build").indexOf("./tilewright dist"));
        services.forEach((name, service) -> {
            if (map(service).containsKey("build")) {
                assertThat(list(map(map(service).get("build")).get("args")).toString())
                        .as("arguments of %s", name)
                        .isEqualTo("[COMMIT]");
            }
        });
        assertThat(read("docs/operations.md"))
                .contains("--build-arg COMMIT=$(packaging/commit.sh)", "COMMIT=$(packaging/commit.sh) docker compose");
        ProcessBuilder script =
                new ProcessBuilder("sh", root.resolve("packaging/commit.sh").toString());
        script.environment().put("TILEWRIGHT_COMMIT", "0123456789ab");
        Process process = script.start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("0123456789ab\n");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void portsAreForThisMachineAlone() {
        services.forEach((name, service) -> list(map(service).get("ports"))
                .forEach(port ->
                        assertThat(port.toString()).as("port of %s", name).startsWith("127.0.0.1:")));
    }

    /** The service answers for names that it knows alone. */
    @Test
    void theServiceKnowsTheNameUnderWhichOthersAskForIt() {
        assertThat(environment(services.get("harness-api")).get("TILEWRIGHT_HOSTS"))
                .isEqualTo("harness-api");
        assertThat(list(map(services.get("worker")).get("command")).toString()).contains("http://harness-api:");
        assertThat(read("dashboards/prometheus/prometheus.yml")).contains("\"harness-api:");
    }

    private static String target(Map<?, ?> service) {
        return Objects.requireNonNull(map(service.get("build")).get("target")).toString();
    }

    /** Text of a stage of the Dockerfile, from its FROM to the next one. */
    static String stage(String target) {
        String dockerfile = read("packaging/Dockerfile");
        Matcher stages = STAGE.matcher(dockerfile);
        while (stages.find()) {
            if (stages.group(1).equals(target)) {
                int end = dockerfile.indexOf("\nFROM ", stages.end());
                return dockerfile.substring(stages.start(), end < 0 ? dockerfile.length() : end);
            }
        }
        throw new AssertionError("packaging/Dockerfile has no stage " + target);
    }

    private static Map<?, ?> environment(Object service) {
        Object environment = map(service).get("environment");
        return environment == null ? Map.of() : map(environment);
    }

    private static Map<?, ?> map(Object node) {
        return (Map<?, ?>) Objects.requireNonNull(node);
    }

    private static List<?> list(@Nullable Object node) {
        return node == null ? List.of() : (List<?>) node;
    }

    static String read(String file) {
        try {
            return Files.readString(root().resolve(file));
        } catch (IOException e) {
            throw new AssertionError("cannot read " + file, e);
        }
    }

    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("docker-compose.yml"))) {
            folder = folder.getParent();
        }
        return Objects.requireNonNull(folder, "no folder above this one has a docker-compose.yml");
    }
}
