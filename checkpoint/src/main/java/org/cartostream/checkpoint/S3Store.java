package org.cartostream.checkpoint;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Store of checkpoints in a bucket of Amazon S3, or of a server with the same protocol, such as
 * MinIO. Safe for use by many threads.
 *
 * <p>User, region and server are configured as for AWS's tools: {@code AWS_ACCESS_KEY_ID}, {@code
 * AWS_SECRET_ACCESS_KEY}, {@code AWS_REGION}, {@code AWS_ENDPOINT_URL_S3} in the environment, or
 * {@code ~/.aws}. A request that fails is tried again by the SDK, for {@value #CALL_SECONDS} s at
 * most. An object is visible as a whole or not at all, and visible to all as soon as it is written
 * (Amazon S3 User Guide, "Amazon S3 data consistency model").
 */
public final class S3Store extends NamedFilesStore implements AutoCloseable {

  /** Beginning of the text of a location in S3. */
  public static final String SCHEME = "s3://";

  private static final String CONTENT_TYPE = "application/octet-stream";
  private static final int CALL_SECONDS = 30;
  private static final int DENIED = 403;
  private static final int NOT_THERE = 404;

  private final S3Client client;
  private final String bucket;

  /** Prefix of each object's key: empty, or a folder with a slash at its end. */
  private final String prefix;

  private S3Store(S3Client client, String bucket, String prefix) {
    this.client = client;
    this.bucket = bucket;
    this.prefix = prefix;
  }

  /**
   * Returns a store in a bucket, which must exist by the first read or write.
   *
   * @param location {@code s3://BUCKET} or {@code s3://BUCKET/FOLDER}
   * @throws IllegalArgumentException if the location has another form
   */
  public static S3Store at(String location) {
    String[] words = location.substring(SCHEME.length()).split("/", 2);
    if (!words[0].matches("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")) {
      throw new IllegalArgumentException(
          "'" + location + "' names no bucket of S3: s3://BUCKET/FOLDER does");
    }
    String folder = words.length > 1 ? words[1].replaceAll("/+$", "") : "";
    String endpoint = System.getenv("AWS_ENDPOINT_URL_S3");
    return at(words[0], folder, endpoint == null ? System.getenv("AWS_ENDPOINT_URL") : endpoint);
  }

  /**
   * Returns a store in a bucket's folder.
   *
   * @param endpoint URL of another server than Amazon's; null for Amazon's
   */
  static S3Store at(String bucket, String folder, String endpoint) {
    var builder =
        S3Client.builder()
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .overrideConfiguration(each -> each.apiCallTimeout(Duration.ofSeconds(CALL_SECONDS)));
    try {
      if (endpoint != null) {
        // Other servers than Amazon's have one host name for all buckets.
        builder.endpointOverride(URI.create(endpoint)).forcePathStyle(true);
      }
      return new S3Store(builder.build(), bucket, folder.isEmpty() ? "" : folder + "/");
    } catch (SdkClientException e) {
      throw new IllegalArgumentException(
          "s3://%s cannot be used: %s".formatted(bucket, firstSentence(e)), e);
    }
  }

  @Override
  void put(String name, ByteBuffer... content) throws IOException {
    long bytes = BlockOutput.bytes(content);
    ask(
        name,
        () ->
            client.putObject(
                request -> request.bucket(bucket).key(prefix + name),
                RequestBody.fromContentProvider(() -> stream(content), bytes, CONTENT_TYPE)));
  }

  private static InputStream stream(ByteBuffer... content) {
    return new SequenceInputStream(
        Collections.enumeration(
            Stream.of(content)
                .map(
                    block ->
                        new ByteArrayInputStream(
                            block.array(),
                            block.arrayOffset() + block.position(),
                            block.remaining()))
                .toList()));
  }

  @Override
  byte[] get(String name) throws IOException {
    return ask(
        name,
        () ->
            client
                .getObjectAsBytes(request -> request.bucket(bucket).key(prefix + name))
                .asByteArray());
  }

  @Override
  long size(String name) throws IOException {
    return head(name).contentLength();
  }

  @Override
  Instant time(String name) throws IOException {
    return head(name).lastModified();
  }

  private HeadObjectResponse head(String name) throws IOException {
    return ask(name, () -> client.headObject(request -> request.bucket(bucket).key(prefix + name)));
  }

  @Override
  List<String> files(String run) throws IOException {
    return list(run + "/");
  }

  @Override
  public List<String> filesBesideRuns() throws IOException {
    return list("");
  }

  /** Returns the names of the objects in a folder, without those in folders below it. */
  private List<String> list(String folder) throws IOException {
    List<String> names = new ArrayList<>();
    for (ListObjectsV2Response page : pages(folder)) {
      for (S3Object each : page.contents()) {
        names.add(each.key().substring((prefix + folder).length()));
      }
    }
    return names;
  }

  @Override
  public List<String> runs() throws IOException {
    List<String> runs = new ArrayList<>();
    for (ListObjectsV2Response page : pages("")) {
      for (CommonPrefix each : page.commonPrefixes()) {
        runs.add(each.prefix().substring(prefix.length(), each.prefix().length() - 1));
      }
    }
    return runs;
  }

  /** Returns all pages of the listing of a folder; a page has at most 1,000 names. */
  private List<ListObjectsV2Response> pages(String folder) throws IOException {
    return ask(
        folder,
        () ->
            client
                .listObjectsV2Paginator(
                    request -> request.bucket(bucket).prefix(prefix + folder).delimiter("/"))
                .stream()
                .toList());
  }

  @Override
  void remove(String name) throws IOException {
    ask(name, () -> client.deleteObject(request -> request.bucket(bucket).key(prefix + name)));
  }

  @Override
  void copy(String from, String to) throws IOException {
    ask(
        from,
        () ->
            client.copyObject(
                request ->
                    request
                        .sourceBucket(bucket)
                        .sourceKey(prefix + from)
                        .destinationBucket(bucket)
                        .destinationKey(prefix + to)));
  }

  @Override
  String where(String name) {
    return SCHEME + bucket + "/" + prefix + name;
  }

  private <T> T ask(String name, Supplier<T> request) throws IOException {
    try {
      return request.get();
    } catch (NoSuchBucketException e) {
      throw noBucket(e);
    } catch (NoSuchKeyException e) {
      throw new NoSuchFileException(where(name));
    } catch (S3Exception e) {
      throw failure(name, e);
    } catch (SdkClientException e) {
      throw new IOException("%s cannot be reached: %s".formatted(where(name), firstSentence(e)), e);
    }
  }

  private IOException noBucket(S3Exception e) {
    return new IOException(
        "there is no bucket '%s' of %s%s: make it, or name another in checkpoint.folder"
            .formatted(bucket, SCHEME, bucket),
        e);
  }

  private IOException failure(String name, S3Exception e) {
    if (e.statusCode() == NOT_THERE) { // The answer to a HEAD request has no error code.
      return new NoSuchFileException(where(name));
    }
    String why = e.awsErrorDetails() == null ? e.getMessage() : e.awsErrorDetails().errorCode();
    return e.statusCode() == DENIED
        ? new IOException(
            "%s is denied (%s): look at AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and at what that user may do"
                .formatted(where(name), why),
            e)
        : new IOException(
            "%s: the server says %d %s".formatted(where(name), e.statusCode(), why), e);
  }

  /** Returns the first sentence of an SDK's message, which may have many lines. */
  private static String firstSentence(SdkClientException e) {
    return e.getMessage().lines().findFirst().orElse("").replaceFirst("(\\. |: \\[).*", "");
  }

  @Override
  public void close() {
    client.close();
  }
}
