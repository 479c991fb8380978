// Reads in a Sigstore bundle which workflow attested what. No signature is checked here.
import { X509Certificate } from 'node:crypto';
import { z } from 'zod';

/** A Sigstore bundle, as far as it names who signed what. */
const Bundle = z.looseObject({
  verificationMaterial: z.looseObject({
    certificate: z.looseObject({ rawBytes: z.string() }).optional(),
    x509CertificateChain: z
      .looseObject({ certificates: z.array(z.looseObject({ rawBytes: z.string() })) })
      .optional(),
  }),
  dsseEnvelope: z.looseObject({ payload: z.string() }),
});
const Statement = z.looseObject({
  subject: z.array(z.looseObject({ digest: z.record(z.string(), z.string()) })),
});

/** Whether the bundle says that a tag's run of `signer` made the subject. This reads the certificate and checks no signature. */
export function isSigned(bundle: unknown, digest: string, signer: string): boolean {
  const read = Bundle.safeParse(bundle);
  if (!read.success) return false;
  const { verificationMaterial: material, dsseEnvelope } = read.data;
  const der = material.certificate?.rawBytes ?? material.x509CertificateChain?.certificates[0]?.rawBytes;
  try {
    const statement = Statement.parse(
      JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString('utf8')),
    );
    const names = new X509Certificate(Buffer.from(der ?? '', 'base64')).subjectAltName ?? '';
    return (
      statement.subject.some(({ digest: { sha256 } }) => sha256 === digest) &&
      names.split(', ').some(each => isOf(each, signer))
    );
  } catch {
    return false;
  }
}

/** `URI:https://github.com/<owner>/<repo>/.github/workflows/release.yml@refs/tags/v1.2.3` */
const isOf = (name: string, signer: string): boolean => {
  const [, path] = /^URI:https:\/\/[^/]+\/(.+)@refs\/tags\/v[\d.]+$/.exec(name) ?? [];
  return path?.toLowerCase() === signer.toLowerCase();
};
